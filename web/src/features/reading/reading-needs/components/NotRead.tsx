import { Link } from '../../../../ui/Link.tsx';
import type { NotRead as NotReadPupils } from '#contract/calls/reading-needs.ts';
import { paths } from '../../../../paths.ts';
import { count, formatDayOfYear, formatWeekday } from '../../../../shared/format.ts';
import css from './NotRead.module.css';

/** Pupils who have not read since the week began and have no other reason. */
export function NotRead({ since, total, readers: pupils }: NotReadPupils) {
  if (total === 0) return null;
  return (
    <details className={css.line}>
      <summary>
        <h3>
          Not read since {formatWeekday(since)} {formatDayOfYear(since)}: {count(total, 'pupil')}
        </h3>
      </summary>
      <ul className="plain">
        {pupils.map(({ id, name, group: schoolClass }) => (
          <li key={id}>
            <Link to={paths.pupil(id, schoolClass?.id)}>{name}</Link>
          </li>
        ))}
        {total > pupils.length && <li>and {total - pupils.length} more</li>}
      </ul>
    </details>
  );
}
