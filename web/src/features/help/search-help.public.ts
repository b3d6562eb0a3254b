import help from '#content/help/contents.json?help';
import { fillIn } from './model/fill-in.ts';
import { type HelpResult, searchHelp } from './model/search-help.ts';

/** Pages of the help for the words, the best first. It brings all texts of the help along: import it late. */
export const findInHelp = (asked: string, most: number): HelpResult[] =>
  searchHelp(help, asked, most).map(({ title, detail, to }) => ({ title: fillIn(title), detail: fillIn(detail), to }));
