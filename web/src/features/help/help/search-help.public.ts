import help from '#content/help/contents.json?help';
import { fillIn } from '../../../shared/product.ts';
import { type HelpResult, searchHelp } from './model/search-help.ts';

/** Help pages that match the words, best first. Import it lazily, because it contains all help texts. */
export const findInHelp = (searchText: string, maxResults: number): HelpResult[] =>
  searchHelp(help, searchText, maxResults).map(({ title, detail, to }) => ({
    title: fillIn(title),
    detail: fillIn(detail),
    to,
  }));
