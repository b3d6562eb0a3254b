import { IconBook, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { bookPupilsQuery } from '../library.api.ts';
import css from './BookPupils.module.css';

/** Which pupils of a class have opened and finished a book. */
export function BookPupils({ classId, bookId }: { classId: number; bookId: number }) {
  const found = useQuery(bookPupilsQuery(useSchoolId(), classId, bookId));
  const pupils = found.data?.readers;
  if (found.error && !pupils) return <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />;
  if (!pupils || pupils.length === 0) return null;
  const opened = pupils.filter(({ has_opened }) => has_opened).length;
  const finished = pupils.filter(({ has_completed }) => has_completed).length;
  return (
    <section aria-labelledby="book-readers">
      <h3 id="book-readers" className={css.title}>
        Opened by {opened} of {count(pupils.length, 'pupil')}, finished by {finished}
      </h3>
      <ul className={css.pupils}>
        {pupils.map(({ id, name, has_opened, has_completed }) => (
          <li key={id} data-opened={has_opened || undefined}>
            {has_completed ? (
              <IconCheck size={18} role="img" aria-label="Finished" />
            ) : has_opened ? (
              <IconBook size={18} role="img" aria-label="Opened" />
            ) : (
              <span className={css.none} role="img" aria-label="Not opened" />
            )}
            {name}
          </li>
        ))}
      </ul>
      <p className={`soft small ${css.legend}`}>
        <IconCheck size={16} aria-hidden /> finished <IconBook size={16} aria-hidden /> opened
      </p>
    </section>
  );
}
