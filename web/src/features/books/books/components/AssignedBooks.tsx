import { useQuery } from '@tanstack/react-query';
import { bookCalls } from '#contract/calls/books.ts';
import type { Class } from '#contract/calls/school.ts';
import { apiQuery } from '../../../../shared/api-query.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { SectionHead } from '../../../../ui/SectionHead.tsx';
import { useSchool } from '../../../school/school/school.public.ts';
import { whoCanAssign } from '../model/who-can-assign.ts';
import css from './AssignBooks.module.css';

interface Props {
  classId: number;
  teachers: Class['teachers'];
}

/** The books of a class, for a colleague who cannot change them. */
export function AssignedBooks({ classId, teachers }: Props) {
  const staff = useSchool()?.users ?? [];
  const found = useQuery(
    apiQuery(bookCalls.listClassBooks, {
      params: { id: useSchoolId(), groupId: classId },
      query: { show: 'assigned' },
    }),
  );
  const books = found.data?.books;
  return (
    <section className="above-2xl" aria-labelledby="assigned-books">
      <SectionHead id="assigned-books" title="Assigned books" />
      <p className="soft">Only {whoCanAssign(teachers, staff)} can change the books of this class.</p>
      {found.error && !books && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {books?.length === 0 && <p>No books are assigned to the class.</p>}
      {books && books.length > 0 && (
        <ul className={css.assigned} aria-label="Assigned books">
          {books.map(({ id, title, reading_level }) => (
            <li key={id}>
              {title} <span className="soft">level {reading_level}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
