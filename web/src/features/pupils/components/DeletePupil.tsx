import type { Pupil } from '#contract/calls/pupils.ts';
import { Confirm } from '../../../ui/Confirm.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../ui/toasts.ts';
import { useDeletePupil } from '../pupils.api.ts';

/** Asks before a pupil is deleted. */
export function DeletePupil({ pupil, onClose }: { pupil: Pupil | null; onClose: () => void }) {
  const remove = useDeletePupil();
  return (
    <Confirm
      isOpen={pupil !== null}
      onClose={onClose}
      title={`Delete ${pupil?.name ?? ''}?`}
      action="Delete pupil"
      isDangerous
      lost="The pupil has not been deleted."
      onConfirm={async () => {
        if (!pupil) return;
        await remove.mutateAsync(pupil.id);
        showToast(DEFAULT_SUCCESS, { detail: `${pupil.name} has been deleted` });
      }}
    >
      <p>
        The login {pupil?.username} ends at once{pupil?.group ? `, and ${pupil.group.name} has 1 pupil fewer` : ''}. All
        that the pupil has read is deleted too. This cannot be undone.
      </p>
    </Confirm>
  );
}
