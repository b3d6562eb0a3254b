import { Link } from '../../../../ui/Link.tsx';
import { count } from '../../../../shared/format.ts';
import { findInHelp } from '../search-help.public.ts';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';
import css from './HelpResults.module.css';

const MAX_RESULTS = 8;

/** The search results of the help. */
export function HelpResults({ searchText }: { searchText: string }) {
  const results = findInHelp(searchText, MAX_RESULTS);
  const found = results.length === 0 ? 'No results' : count(results.length, 'result');
  useAnnouncement(searchText !== '' && found, searchText);
  return (
    <section aria-label="Help search results" hidden={searchText === ''} className={css.results}>
      {searchText !== '' && results.length === 0 && (
        <p>No help pages contain “{searchText}”. Try another word, or contact us.</p>
      )}
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
