import type { PupilLogin } from '#contract/calls/pupils.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { callForPresent } from '../../../../ui/present-pupils.ts';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { dropFromSelections } from '../../../../ui/use-selection.ts';
import { useArchivePupils, useRestorePupils } from '../pupils.api.ts';

interface Props {
  /** The pupils to delete; empty while the dialog is closed. */
  pupils: readonly PupilLogin[];
  onClose: () => void;
}

/** Asks before pupils are deleted. They move to the archive, where they can be restored until its period ends. */
export function DeletePupils({ pupils, onClose }: Props) {
  const schoolId = useSchoolId();
  const archive = useArchivePupils(schoolId);
  const restore = useRestorePupils(schoolId);
  const [only] = pupils;
  const isOne = pupils.length === 1;
  return (
    <Confirm
      isOpen={pupils.length > 0}
      onClose={onClose}
      title={isOne ? `Delete ${only?.name ?? ''}?` : `Delete ${count(pupils.length, 'pupil')}?`}
      action={isOne ? 'Delete pupil' : `Delete ${count(pupils.length, 'pupil')}`}
      isDangerous
      lost={isOne ? 'The pupil has not been deleted.' : 'The pupils have not been deleted.'}
      onConfirm={async () => {
        const { present } = await callForPresent(pupils, (found) => archive.mutateAsync(found.map(({ id }) => id)));
        const ids = present.map(({ id }) => id);
        dropFromSelections(ids);
        showToast(DEFAULT_SUCCESS, {
          detail:
            present.length === 1
              ? `${present[0]?.name ?? ''} has been deleted`
              : `${count(present.length, 'pupil')} have been deleted`,
          undo: () => restore.mutateAsync(ids),
        });
      }}
    >
      <p>
        {isOne ? `The login ${only?.username ?? ''} ends` : 'Their logins end'} at once
        {isOne && only?.group ? `, and ${only.group.name} has 1 pupil fewer` : ''}. An admin can restore{' '}
        {isOne ? only?.name : 'them'} for up to 30 days. After that we delete their reading history.
      </p>
    </Confirm>
  );
}
