import type { Class } from '#contract/calls/school.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { useRemoveClass, useRestoreClass } from '../classes.api.ts';
import { missingText, restoredText } from '../model/restored-text.ts';

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
  const schoolId = useSchoolId();
  const remove = useRemoveClass(schoolId);
  const restore = useRestoreClass(schoolId);
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
        const { id, name } = schoolClass;
        showToast('The class has been successfully deleted', {
          detail: name,
          undo: async () => {
            const restored = await restore.mutateAsync(id);
            const missing = missingText(restored);
            showToast(DEFAULT_SUCCESS, { detail: `${restoredText(restored)}${missing && `. ${missing}`}` });
          },
        });
      }}
    >
      <p>{whatHappens(schoolClass?.readers_count ?? 0)} Books assigned through the class are no longer assigned.</p>
      <p>You can restore the class with its pupils, teachers and books from the archive for 30 days.</p>
    </Confirm>
  );
}
