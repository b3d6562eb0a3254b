import { useCallback, useState } from 'react';
import { showToast } from '../../../ui/toasts.ts';
import { useAddExisting, useRemoveFromClass } from '../class-pupils.api.ts';

/** Takes pupils out of a class, one at a time, and puts them back when that was a slip. */
export function useRemoval(schoolId: number, classId: number) {
  const removing = useRemoveFromClass(schoolId, classId);
  const adding = useAddExisting(schoolId, classId);
  const [error, setError] = useState<unknown>(null);
  const { mutateAsync: takeOut } = removing;
  const { mutateAsync: putBack } = adding;

  const remove = useCallback(
    async ({ id }: { id: number }) => {
      setError(null);
      try {
        await takeOut(id);
        showToast('The pupil has been removed from the class', { undo: () => putBack([id]) });
      } catch (failure) {
        setError(failure);
      }
    },
    [takeOut, putBack],
  );
  return { remove, error, pendingId: removing.isPending ? removing.variables : null };
}
