import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Class } from '#contract/calls/school.ts';
import { paths } from '../../../paths.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { classReadingQuery } from '../reading-needs.api.ts';
import css from './NotReadThisWeek.module.css';

/** Pupils who are named; more of them stand on the page of their class. */
const FIRST = 10;

/** Which pupils of a class have not read since Monday, by name. */
export function NotReadThisWeek({ schoolClass }: { schoolClass: Pick<Class, 'id' | 'name'> }) {
  const { id: classId, name } = schoolClass;
  const reading = useQuery(classReadingQuery(useSchoolId(), classId)).data?.reading;
  const monday = reading?.weeks.at(-1) ?? '';
  const pupils = reading?.readers.filter(({ last_read_on: day }) => day === null || day < monday) ?? [];
  // A place is kept while it loads, so that what is below hardly moves.
  if (!reading) return <p className={css.line} aria-hidden />;
  if (reading.readers.length === 0) return null;
  if (reading.read_this_week === 0) return <p className={css.line}>Nobody of {name} has read this week yet.</p>;
  if (pupils.length === 0) return <p className={css.line}>All of {name} have read this week.</p>;
  return (
    <section className={css.line} aria-label={`Not read this week, ${name}`}>
      <h2>Not read this week</h2>
      <ul>
        {pupils.slice(0, FIRST).map((pupil) => (
          <li key={pupil.id}>
            <Link to={paths.pupil(pupil.id, classId)}>{pupil.name}</Link>
          </li>
        ))}
        {pupils.length > FIRST && (
          <li>
            <Link to={paths.classPage(classId)}>and {pupils.length - FIRST} more</Link>
          </li>
        )}
      </ul>
    </section>
  );
}
