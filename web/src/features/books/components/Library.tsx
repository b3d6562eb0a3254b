import { Button } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import type { Book } from '#contract/calls/books.ts';
import { MAX_BOOKS } from '#contract/limits.ts';
import { count, formatNumber } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import type { BookChange } from '../library.api.ts';
import { partLibrary } from '../model/library-parts.ts';
import { isNarrowed } from '../model/library-state.ts';
import { useAssigning } from '../model/use-assigning.ts';
import type { useLibrary } from '../model/use-library.ts';
import { BookInfo } from './BookInfo.tsx';
import { LibraryShelf } from './LibraryShelf.tsx';
import { LibraryTools } from './LibraryTools.tsx';
import { PreviewDialog } from './PreviewDialog.tsx';
import { RemoveBooks } from './RemoveBooks.tsx';
import css from './Library.module.css';

/** Books that are drawn all at once; of more, those near the window. */
const DRAWN_WHOLE = 240;

/** All books by collection, and what is assigned of them to a class or to a pupil. */
export function Library({ library, name }: { library: ReturnType<typeof useLibrary>; name: string }) {
  const schoolId = useSchoolId();
  const { owner, controls, firstPage } = library;
  const { state } = controls;
  // The books shown belong together: until the first of the new view are there, all are those of the old one.
  const [shown, setShown] = useState(state);
  if (shown !== state && firstPage.data && !firstPage.isPlaceholderData) setShown(state);
  const meta = firstPage.data?.meta;
  const collections = useMemo(() => partLibrary(meta?.collections ?? []), [meta?.collections]);
  const [dialog, setDialog] = useState<{ kind: 'info' | 'preview'; book: Book } | null>(null);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const open = useCallback((kind: 'info' | 'preview', book: Book) => {
    setDialog({ kind, book });
    setDialogOpen(true);
  }, []);
  const assigning = useAssigning(schoolId, owner, name);
  const { changeOne } = assigning;
  const canAssign = meta?.can_assign ?? false;
  const actions = useMemo(
    () => ({
      owner,
      canAssign,
      onChange: (book: Book, change: BookChange) => changeOne(book, change),
      onInfo: (book: Book) => open('info', book),
      onPreview: (book: Book) => open('preview', book),
    }),
    [owner, canAssign, changeOne, open],
  );

  const onView = meta?.total_filtered ?? 0;
  const bulkReason =
    onView === 0
      ? 'No books are on view.'
      : onView > MAX_BOOKS
        ? `Narrow the view to ${formatNumber(MAX_BOOKS)} books or fewer to change them all at once.`
        : undefined;
  const bulk = (change: BookChange, text: string) => (
    <DisabledReasonButton
      variant="default"
      disabledReason={bulkReason}
      loading={assigning.loading === change}
      onClick={() => assigning.changeAll(state, change)}
    >
      {text}
    </DisabledReasonButton>
  );

  return (
    <div className={css.library}>
      <LibraryTools controls={controls} />
      <div className={css.line}>
        <p role="status">
          {meta &&
            (isNarrowed(state)
              ? `${formatNumber(onView)} of ${count(meta.total, 'book')} on view`
              : `${count(onView, 'book')} on view`)}
        </p>
        {canAssign && (
          <div className={css.bulk}>
            {bulk('assign', 'Assign all on view')}
            {bulk('remove', 'Remove all on view')}
          </div>
        )}
      </div>
      {assigning.failure !== null && (
        <ErrorNotice error={assigning.failure} lost="Not every change of books was saved." />
      )}
      {firstPage.error && !meta && <ErrorNotice error={firstPage.error} onRetry={() => void firstPage.refetch()} />}
      {!meta && !firstPage.error && <PageSkeleton rows={6} />}
      {meta && onView === 0 && (
        <EmptyState
          title={meta.total === 0 ? 'The library has no books yet.' : 'No books match.'}
          action={
            isNarrowed(state) && (
              <Button variant="default" onClick={controls.showAll}>
                Show all books
              </Button>
            )
          }
        >
          {state.search && <p>No title has “{state.search}” in it, with the filters as they are.</p>}
        </EmptyState>
      )}
      {collections.map(({ key, title, books_count, parts }) => (
        <section key={key} aria-labelledby={`collection-${key}`}>
          <h2 id={`collection-${key}`} className={css.title}>
            {title} <span className={css.count}>{formatNumber(books_count)}</span>
          </h2>
          {parts.map((part) => (
            <LibraryShelf
              key={part.start}
              part={part}
              isWhole={onView <= DRAWN_WHOLE}
              state={shown}
              actions={actions}
              label={title}
            />
          ))}
        </section>
      ))}
      <BookInfo
        book={dialog?.book ?? null}
        isOpen={isDialogOpen && dialog?.kind === 'info'}
        onClose={() => setDialogOpen(false)}
      />
      <PreviewDialog
        book={dialog?.book ?? null}
        isOpen={isDialogOpen && dialog?.kind === 'preview'}
        onClose={() => setDialogOpen(false)}
      />
      <RemoveBooks
        removal={assigning.removal}
        isOpen={assigning.isAsking}
        isClass={'classId' in owner}
        name={name}
        onClose={assigning.cancel}
        onConfirm={assigning.confirm}
      />
    </div>
  );
}
