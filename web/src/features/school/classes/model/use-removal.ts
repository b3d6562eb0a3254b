import { useCallback, useState } from 'react';
import { showToast } from '../../../../ui/toasts.ts';
import { useRemoveFromClass, useReturnToClass } from '../class-pupils.api.ts';

/** Removes pupils from a class, one at a time, with Undo. */
export function useRemoval(schoolId: number, classId: number) {
  const removing = useRemoveFromClass(schoolId, classId);
  const returning = useReturnToClass(schoolId, classId);
  const [error, setError] = useState<{ cause: unknown; lost: string } | null>(null);
  const { mutateAsync: takeOut } = removing;
  const { mutateAsync: putBack } = returning;

  const remove = useCallback(
    async ({ id, name }: { id: number; name: string }) => {
      setError(null);
      try {
        await takeOut(id);
        showToast('The pupil has been removed from the class', { detail: name, undo: () => putBack(id) });
      } catch (cause) {
        setError({ cause, lost: `${name} is still in the class.` });
      }
    },
    [takeOut, putBack],
  );
  return { remove, error, pendingId: removing.isPending ? removing.variables : null };
}
