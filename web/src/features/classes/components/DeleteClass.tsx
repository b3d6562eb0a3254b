import type { Class } from '#contract/calls/school.ts';
import { count } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { Confirm } from '../../../ui/Confirm.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useRemoveClass } from '../classes.api.ts';

const whatHappens = (pupils: number): string => {
  if (pupils === 0) return 'It has no pupils.';
  return pupils === 1
    ? 'Its 1 pupil stays in the school, without a class.'
    : `Its ${count(pupils, 'pupil')} stay in the school, without a class.`;
};

interface Props {
  /** The class to delete; null while the dialog is closed. */
  schoolClass: Pick<Class, 'id' | 'name' | 'readers_count'> | null;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Asks before a class is deleted. */
export function DeleteClass({ schoolClass, onClose, onDeleted }: Props) {
  const remove = useRemoveClass(useSchoolId());
  return (
    <Confirm
      isOpen={schoolClass !== null}
      onClose={onClose}
      title={`Delete ${schoolClass?.name ?? ''}?`}
      action="Delete class"
      isDangerous
      lost="The class has not been deleted."
      onConfirm={async () => {
        if (!schoolClass) return;
        await remove.mutateAsync(schoolClass.id);
        onDeleted?.();
        showToast('The class has been successfully deleted');
      }}
    >
      <p>{whatHappens(schoolClass?.readers_count ?? 0)} Books assigned through the class are no longer assigned.</p>
    </Confirm>
  );
}
