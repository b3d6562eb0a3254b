import type { Pupil } from '#contract/calls/pupils.ts';
import { can } from '../../../../shared/can.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { callForPresent } from '../../../../ui/present-pupils.ts';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { useReturnToClasses, useUnplacePupils } from '../pupils.api.ts';

interface Props {
  /** Those without a class stay as they are. */
  pupils: readonly Pupil[];
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}

const fromClasses = (pupils: readonly Pupil[]) => `from ${pupils.length === 1 ? 'the class' : 'their classes'}`;

/** Asks before pupils are removed from their classes. Users who can place pupils without a class can undo it. */
export function RemoveFromClasses({ pupils, isOpen, onClose, onDone }: Props) {
  const schoolId = useSchoolId();
  const { mutateAsync: unplace } = useUnplacePupils(schoolId);
  const returnToClasses = useReturnToClasses(schoolId);
  const canPlace = can(useUser(), 'manage_pupils');
  const inClass = pupils.filter((pupil) => pupil.group);
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={`Remove ${count(inClass.length, 'pupil')} ${fromClasses(inClass)}?`}
      action="Remove from class"
      lost="The pupils have not been removed from the class."
      onConfirm={async () => {
        const { present } = await callForPresent(inClass, (found) => unplace(found.map(({ id }) => id)));
        showToast(DEFAULT_SUCCESS, {
          detail: `${count(present.length, 'pupil')} removed ${fromClasses(present)}`,
          ...(canPlace && { undo: () => returnToClasses(present, null) }),
        });
        onDone();
      }}
    >
      <p>They stay in the school, without a class. Books assigned through the class are no longer assigned.</p>
      {!canPlace && <p>Only a teacher of the class or an admin can put them back.</p>}
    </Confirm>
  );
}
