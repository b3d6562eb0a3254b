import { useCallback, useState } from 'react';
import type { Book } from '#contract/calls/books.ts';
import { count } from '../../../../shared/format.ts';
import { showToast } from '../../../../ui/toasts.ts';
import { type BookChange, type LibraryOwner, listBooksToChange, useChangeBooks } from '../library.api.ts';
import type { LibraryState } from './library-state.ts';
import { mustConfirmRemoval, type RemovalKind, rememberRemovalConfirmed } from './remove-warning.ts';

interface Removal {
  bookIds: readonly number[];
  /** Of a single book. */
  title: string | null;
}

const kindOf = ({ title }: Removal): RemovalKind => (title === null ? 'many' : 'one');

/** Assigns and removes one book or all on view. Removals of each kind are confirmed once in 5 minutes. */
export function useAssigning(schoolId: number, owner: LibraryOwner, name: string) {
  const { mutateAsync } = useChangeBooks(schoolId, owner);
  const [failure, setFailure] = useState<unknown>(null);
  const [loading, setLoading] = useState<BookChange | null>(null);
  const [removal, setRemoval] = useState<Removal | null>(null);
  const [isAsking, setAsking] = useState(false);

  /** Makes the change. A failure is shown on the page. Removing, and assigning several books, can be undone. */
  const carryOut = useCallback(
    async (bookIds: readonly number[], change: BookChange) => {
      setFailure(null);
      try {
        await mutateAsync({ bookIds, change });
      } catch (error) {
        setFailure(error);
        return;
      }
      // An assigned book shows its state on its card, so a toast is needed for removals and several books only.
      if (bookIds.length === 1 && change === 'assign') return;
      const isOn = change === 'assign';
      showToast(`${count(bookIds.length, 'book')} ${isOn ? 'assigned to' : 'removed from'} ${name}`, {
        undo: () => mutateAsync({ bookIds, change: isOn ? 'remove' : 'assign' }),
      });
    },
    [mutateAsync, name],
  );

  const ask = useCallback(
    (next: Removal) => {
      if (!mustConfirmRemoval(kindOf(next))) return void carryOut(next.bookIds, 'remove');
      setRemoval(next);
      setAsking(true);
    },
    [carryOut],
  );

  const changeOne = useCallback(
    ({ id, title }: Book, change: BookChange) => {
      if (change === 'remove') ask({ bookIds: [id], title });
      else void carryOut([id], 'assign');
    },
    [ask, carryOut],
  );

  const changeAll = async (state: LibraryState, change: BookChange) => {
    setFailure(null);
    setLoading(change);
    try {
      const bookIds = await listBooksToChange(schoolId, owner, state, change);
      if (bookIds.length === 0)
        showToast(change === 'assign' ? 'All books on view are assigned already' : 'No book on view can be removed');
      else if (change === 'remove') ask({ bookIds, title: null });
      else await carryOut(bookIds, 'assign');
    } catch (error) {
      setFailure(error);
    } finally {
      setLoading(null);
    }
  };

  return {
    failure,
    loading,
    removal,
    isAsking,
    changeOne,
    changeAll: (state: LibraryState, change: BookChange) => void changeAll(state, change),
    cancel: () => setAsking(false),
    confirm: () => {
      if (!removal) return;
      rememberRemovalConfirmed(kindOf(removal));
      void carryOut(removal.bookIds, 'remove');
    },
  };
}
