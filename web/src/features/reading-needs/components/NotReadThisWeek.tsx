import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Class } from '#contract/calls/school.ts';
import { paths } from '../../../paths.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { notReadThisWeekQuery } from '../reading-needs.api.ts';
import css from './NotReadThisWeek.module.css';

interface Props {
  /** One class, or a teacher's own ones. */
  classes: readonly Pick<Class, 'id' | 'name' | 'readers_count'>[];
  /** The class that was chosen; undefined for a teacher's own. */
  classId: number | undefined;
}

/** Which pupils of a class, or of a teacher's classes, have not read since Monday, by name. */
export function NotReadThisWeek({ classes, classId }: Props) {
  const list = useQuery(notReadThisWeekQuery(useSchoolId(), classId)).data;
  const of = classes.length === 1 ? classes[0]?.name : 'your classes';
  // A place is kept while it loads, so that what is below hardly moves.
  if (!list) return <p className={css.line} aria-hidden />;
  const pupilCount = classes.reduce((sum, one) => sum + one.readers_count, 0);
  const notRead = list.meta.total_filtered;
  if (pupilCount === 0) return null;
  if (notRead === 0) return <p className={css.line}>All of {of} have read this week.</p>;
  if (notRead >= pupilCount) return <p className={css.line}>Nobody of {of} has read this week yet.</p>;
  const more = notRead - list.readers.length;
  return (
    <section className={css.line} aria-label={`Not read this week, ${of}`}>
      <h2>Not read this week</h2>
      <ul>
        {list.readers.map((pupil) => (
          <li key={pupil.id}>
            <Link to={paths.pupil(pupil.id, pupil.group?.id)}>{pupil.name}</Link>
          </li>
        ))}
        {more > 0 && (
          <li>
            <Link to={paths.pupils({ groups: classes.map(({ id }) => id).join(','), not_read_days: 'week' })}>
              and {more} more
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}
