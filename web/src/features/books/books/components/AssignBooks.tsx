import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { NativeSelect, TextInput } from '../../../../ui/Field.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Book, bookCalls } from '#contract/calls/books.ts';
import { LEVELS, MAX_BOOKS_FOR_PUPILS } from '#contract/limits.ts';
import { isNotFound } from '../../../../shared/api-error.ts';
import { apiQuery } from '../../../../shared/api-query.ts';
import { foldText } from '../../../../shared/fold-text.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useHoldOpen } from '../../../../ui/Dialog.tsx';
import { DialogButtons } from '../../../../ui/DialogForm.tsx';
import { DisabledReasonButton } from '../../../../ui/DisabledReasonButton.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { callForPresent } from '../../../../ui/present-pupils.ts';
import { showToast } from '../../../../ui/toasts.ts';
import { useLevelName } from '../../reading-levels/reading-levels.public.ts';
import { bookStatesQuery, useAssignBooks, useUnassignBooks } from '../library.api.ts';
import { describeBookState, offeredLevel } from '../model/book-state-words.ts';
import { libraryParameters } from '../model/library-state.ts';
import { Cover } from './Cover.tsx';
import { useAnnouncement, useLoadingAnnouncement } from '../../../../ui/use-announcement.ts';
import css from './AssignBooks.module.css';

interface Props {
  pupils: readonly { id: number; name: string }[];
  onClose: () => void;
}

/** The books of a level, to tick and assign to all of the pupils. Assigning can be undone. */
export default function AssignBooks({ pupils, onClose }: Props) {
  const schoolId = useSchoolId();
  const states = useQuery(bookStatesQuery(schoolId, pupils));
  const [chosenLevel, setLevel] = useState<number | null>(null);
  // If the states cannot be loaded, books can still be assigned.
  const offered = states.isPending ? undefined : offeredLevel(states.data?.reading_level ?? null);
  const level = chosenLevel ?? offered;
  const [search, setSearch] = useState('');
  const nameOf = useLevelName();
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [error, setError] = useState<unknown>(null);
  // Every pupil's library has the same books, so that of the first who still exists will do.
  const [skipped, setSkipped] = useState(0);
  const found = useQuery({
    ...apiQuery(bookCalls.listBooksForPupil, {
      params: { id: schoolId, readerId: pupils[skipped]?.id ?? 0 },
      query: libraryParameters({ search: '', from: level ?? 1, to: level ?? 1, show: 'all' }),
    }),
    enabled: level !== undefined,
  });
  if (isNotFound(found.error) && skipped < pupils.length - 1) setSkipped(skipped + 1);
  const { mutateAsync: assign, isPending } = useAssignBooks(schoolId);
  const { mutateAsync: unassign } = useUnassignBooks(schoolId);
  useHoldOpen(isPending);
  const shown = found.data?.books.filter(({ title }) => foldText(title).includes(foldText(search.trim())));
  useLoadingAnnouncement(!shown && !found.error, 'Loading books');
  useAnnouncement(
    shown && (shown.length === 0 ? 'No books found' : count(shown.length, 'book')),
    `${level ?? ''} ${search}`,
  );

  const stateOf = new Map(states.data?.books.map((state) => [state.id, describeBookState(state, states.data.pupils)]));
  const toggle = ({ id }: Book, isTicked: boolean) =>
    setTicked((before) => new Set(isTicked ? [...before, id] : [...before].filter((bookId) => bookId !== id)));
  const save = async () => {
    setError(null);
    try {
      const { reply } = await callForPresent(pupils, (present) =>
        assign({ pupilIds: present.map(({ id }) => id), bookIds: [...ticked] }),
      );
      const { assigned } = reply;
      if (assigned.length === 0) showToast('The pupils have these books already');
      else {
        const newBooks = new Set(assigned.map(({ book_id }) => book_id)).size;
        const pupilCount = new Set(assigned.map(({ reader_id: pupilId }) => pupilId)).size;
        showToast(`${count(newBooks, 'book')} assigned to ${count(pupilCount, 'pupil')}`, {
          undo: () => unassign(assigned),
        });
      }
      onClose();
    } catch (failure) {
      setError(failure);
    }
  };

  return (
    <>
      <div className={`fitted ${css.tools}`}>
        <NativeSelect
          label="Reading level"
          data-autofocus
          value={String(level ?? '')}
          data={[
            ...(level === undefined ? [{ value: '', label: 'Loading…' }] : []),
            ...LEVELS.map((option) => ({ value: String(option), label: nameOf(option) })),
          ]}
          onChange={(event) => setLevel(Number(event.currentTarget.value))}
        />
        <TextInput
          label="Find a title"
          type="search"
          value={search}
          maxLength={191}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      {found.error && !shown && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {states.error && !found.error && <ErrorNotice error={states.error} onRetry={() => void states.refetch()} />}
      {!shown && !found.error && <p>Loading books…</p>}
      {shown?.length === 0 && <p>No level {level} book matches.</p>}
      {shown && shown.length > 0 && (
        <fieldset className={`tiled ${css.choice} ${css.books}`}>
          <legend>Level {level} books</legend>
          {shown.map((book) => (
            <div key={book.id} className={css.book}>
              <Cover book={book} size={{ width: 120 }} />
              <Checkbox
                label={book.title}
                description={stateOf.get(book.id)?.map((text) => (
                  <span key={text} className="block">
                    {text}
                  </span>
                ))}
                checked={ticked.has(book.id)}
                onChange={(event) => toggle(book, event.currentTarget.checked)}
              />
            </div>
          ))}
        </fieldset>
      )}
      {error !== null && <ErrorNotice error={error} />}
      <DialogButtons>
        <Button variant="default" disabled={isPending} onClick={onClose}>
          Cancel
        </Button>
        <DisabledReasonButton
          side="above"
          loading={isPending}
          disabledReason={
            ticked.size === 0
              ? 'Tick a book first.'
              : ticked.size > MAX_BOOKS_FOR_PUPILS
                ? `Tick at most ${MAX_BOOKS_FOR_PUPILS} books.`
                : undefined
          }
          onClick={() => void save()}
        >
          {ticked.size === 0 ? 'Assign books' : `Assign ${count(ticked.size, 'book')}`}
        </DisabledReasonButton>
      </DialogButtons>
    </>
  );
}
