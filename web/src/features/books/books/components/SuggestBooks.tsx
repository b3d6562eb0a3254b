import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bookCalls } from '#contract/calls/books.ts';
import { paths } from '../../../../paths.ts';
import { apiQuery } from '../../../../shared/api-query.ts';
import { count as inWords } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { useHoldOpen } from '../../../../ui/Dialog.tsx';
import { DialogButtons } from '../../../../ui/DialogForm.tsx';
import { DisabledReasonButton } from '../../../../ui/DisabledReasonButton.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useChangeBooks } from '../library.api.ts';
import { libraryParameters } from '../model/library-state.ts';
import { suggestBooks, type Suggestion } from '../model/suggest-books.ts';
import { Cover } from './Cover.tsx';
import { useLoadingAnnouncement } from '../../../../ui/use-announcement.ts';
import css from './AssignBooks.module.css';

interface Props {
  suggestion: Suggestion;
  onDone: () => void;
}

/** A few books that are not assigned to the pupil. Assigning them can be undone. */
export default function SuggestBooks({ suggestion: { pupil, classId, level, count }, onDone }: Props) {
  const schoolId = useSchoolId();
  const found = useQuery(
    apiQuery(bookCalls.listBooksForPupil, {
      params: { id: schoolId, readerId: pupil.id },
      query: libraryParameters({ search: '', from: level, to: level, show: 'unassigned' }),
    }),
  );
  const [unticked, setUnticked] = useState<ReadonlySet<number>>(new Set());
  const [error, setError] = useState<unknown>(null);
  const { mutateAsync: change, isPending } = useChangeBooks(schoolId, { pupilId: pupil.id });
  useHoldOpen(isPending);
  const books = found.data && suggestBooks(found.data.books, count);
  useLoadingAnnouncement(!books && !found.error, 'Loading books');
  const chosen = books?.filter(({ id }) => !unticked.has(id)).map(({ id }) => id) ?? [];

  const assign = async () => {
    setError(null);
    try {
      await change({ bookIds: chosen, change: 'assign' });
      showToast(`${inWords(chosen.length, 'book')} assigned to ${pupil.name}`, {
        undo: () => change({ bookIds: chosen, change: 'remove' }),
      });
      onDone();
    } catch (failure) {
      setError(failure);
    }
  };
  const toggle = (id: number, isTicked: boolean) =>
    setUnticked((before) => new Set(isTicked ? [...before].filter((bookId) => bookId !== id) : [...before, id]));

  return (
    <>
      {found.error && !books && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {!books && !found.error && <p>Loading books…</p>}
      {books?.length === 0 && (
        <p>
          Every level {level} book is already assigned to {pupil.name}.
        </p>
      )}
      {books && books.length > 0 && (
        <fieldset className={`tiled ${css.choice}`}>
          <legend>Books to assign</legend>
          {books.map((book) => (
            <div key={book.id} className={css.book}>
              <Cover book={book} size={{ width: 120 }} />
              <Checkbox
                label={book.title}
                checked={!unticked.has(book.id)}
                onChange={(event) => toggle(book.id, event.currentTarget.checked)}
              />
            </div>
          ))}
        </fieldset>
      )}
      {error !== null && <ErrorNotice error={error} />}
      <DialogButtons>
        <ButtonLink to={paths.pupilBooks(pupil.id, classId, { from: level, to: level })} variant="default">
          Choose other books
        </ButtonLink>
        {books && books.length > 0 && (
          <DisabledReasonButton
            side="above"
            loading={isPending}
            disabledReason={chosen.length === 0 ? 'Tick a book first.' : undefined}
            onClick={() => void assign()}
          >
            Assign {inWords(chosen.length, 'book')}
          </DisabledReasonButton>
        )}
      </DialogButtons>
    </>
  );
}
