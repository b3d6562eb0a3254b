import { Button } from '../../../../ui/Button.tsx';
import { useCallback, useMemo, useState } from 'react';
import type { Book } from '#contract/calls/books.ts';
import { MAX_BOOKS } from '#contract/limits.ts';
import { count, formatNumber } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { DisabledReasonButton } from '../../../../ui/DisabledReasonButton.tsx';
import { EmptyState } from '../../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
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
import { useCanChange } from '../../../school/school/school.public.ts';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';
import css from './Library.module.css';

/** A library of up to this many books is rendered completely, a larger one near the viewport only. */
const MAX_FULLY_RENDERED = 240;
/** Collections of up to this many books share a row if the window is wide enough. */
const MAX_SIDE_BY_SIDE = 3;

/** All books by collection, and which of them are assigned to the class or pupil. */
export function Library({ library, name }: { library: ReturnType<typeof useLibrary>; name: string }) {
  const schoolId = useSchoolId();
  const { owner, controls, firstPage } = library;
  const { state } = controls;
  // Do not mix views: the previous books stay until the first books of the new view have loaded.
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
  const canAssign = useCanChange() && (meta?.can_assign ?? false);
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
  const unassigned = onView - (meta?.assigned_filtered ?? 0);
  const generalReason =
    onView === 0
      ? 'No books are on view.'
      : onView > MAX_BOOKS
        ? `Narrow the view to ${formatNumber(MAX_BOOKS)} books or fewer to change them all at once.`
        : undefined;
  const nothingToChange = {
    assign: unassigned === 0 ? 'All books on view are assigned.' : undefined,
    remove:
      meta?.removable_filtered === 0
        ? `No book on view can be removed from ${'classId' in owner ? 'the class' : 'the pupil'}.`
        : undefined,
  };
  const assigned =
    !canAssign || onView === 0
      ? ''
      : unassigned === 0
        ? ', all assigned'
        : `, ${formatNumber(unassigned)} not assigned`;
  const books =
    meta && isNarrowed(state) ? `${formatNumber(onView)} of ${count(meta.total, 'book')}` : count(onView, 'book');
  useAnnouncement(meta && `${onView === 0 ? 'No books' : books} found${assigned}`, JSON.stringify(shown));
  const bulk = (change: BookChange, text: string) => (
    <DisabledReasonButton
      variant="default"
      disabledReason={generalReason ?? nothingToChange[change]}
      loading={assigning.loading === change}
      onClick={() => assigning.changeAll(state, change)}
    >
      {text}
    </DisabledReasonButton>
  );

  return (
    <div className={css.library}>
      <LibraryTools controls={controls} />
      <div className={`row spread ${css.line}`}>
        <p>{meta && `${books} on view${assigned}`}</p>
        {canAssign && (
          <div className={`cluster-m ${css.bulk} no-print`}>
            {bulk('assign', 'Assign all on view')}
            {bulk('remove', 'Remove all on view')}
          </div>
        )}
      </div>
      {assigning.failure !== null && (
        <ErrorNotice error={assigning.failure} lost="Not every change of books was saved." />
      )}
      {!meta && <ErrorNotice error={firstPage.error} onRetry={() => void firstPage.refetch()} />}
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
      <div className={css.sized}>
        <div className={css.collections}>
          {collections.map(({ key, title, books_count, parts }) => (
            <section
              key={key}
              aria-labelledby={`collection-${key}`}
              className={css.collection}
              data-books={books_count <= MAX_SIDE_BY_SIDE ? books_count : undefined}
            >
              <h2 id={`collection-${key}`} className={css.title}>
                {title} <span className={`soft light ${css.count}`}>{formatNumber(books_count)}</span>
              </h2>
              {parts.map((part, index) => (
                <LibraryShelf
                  // Not its start, which moves when a book of an earlier collection leaves the view.
                  key={index}
                  part={part}
                  isFullyRendered={onView <= MAX_FULLY_RENDERED}
                  state={shown}
                  actions={actions}
                  label={title}
                />
              ))}
            </section>
          ))}
        </div>
      </div>
      <BookInfo
        book={dialog?.book ?? null}
        isOpen={isDialogOpen && dialog?.kind === 'info'}
        onClose={() => setDialogOpen(false)}
        actions={actions}
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
