import { VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router';
import { count } from '../../../shared/format.ts';
import { findInHelp } from '../search-help.public.ts';
import css from './HelpResults.module.css';

const MOST = 8;

/** What the help says of the words that somebody typed. */
export function HelpResults({ asked }: { asked: string }) {
  const results = findInHelp(asked, MOST);
  return (
    <section aria-label="Found in the help" hidden={asked === ''} className={css.results}>
      <div role="status">
        {asked !== '' &&
          (results.length === 0 ? (
            <p>Nothing in the help has “{asked}”. Try another word, or write to us.</p>
          ) : (
            <VisuallyHidden>{count(results.length, 'result')}</VisuallyHidden>
          ))}
      </div>
      <ul>
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
