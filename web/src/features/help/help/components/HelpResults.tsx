import { VisuallyHidden } from '../../../../ui/VisuallyHidden.tsx';
import { Link } from '../../../../ui/Link.tsx';
import { count } from '../../../../shared/format.ts';
import { findInHelp } from '../search-help.public.ts';
import css from './HelpResults.module.css';

const MAX_RESULTS = 8;

/** The search results of the help. */
export function HelpResults({ searchText }: { searchText: string }) {
  const results = findInHelp(searchText, MAX_RESULTS);
  return (
    <section aria-label="Help search results" hidden={searchText === ''} className={css.results}>
      <div role="status">
        {searchText !== '' &&
          (results.length === 0 ? (
            <p>No help pages contain “{searchText}”. Try another word, or contact us.</p>
          ) : (
            <VisuallyHidden>{count(results.length, 'result')}</VisuallyHidden>
          ))}
      </div>
      <ul className="plain">
        {results.map(({ title, detail, to }) => (
          <li key={to}>
            <Link to={to}>{title}</Link>
            <span>{detail}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
