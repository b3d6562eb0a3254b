import { NumberInput } from '../../../../ui/Field.tsx';
import { type NeedThresholds, needThresholds } from '#contract/calls/reading-needs.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { THRESHOLDS } from '../model/threshold-words.ts';
import { useSaveNeedThresholds } from '../school-details.api.ts';

/** The numbers from which a pupil is on the list. */
export default function NeedThresholdsForm({
  thresholds,
  onClose,
}: {
  thresholds: NeedThresholds;
  onClose: () => void;
}) {
  const save = useSaveNeedThresholds(useSchoolId());
  const form = useSchemaForm({ schema: needThresholds, initialValues: { ...thresholds } });
  const submit = form.onSubmit(async (body) => {
    await save.mutateAsync(body);
    onClose();
    showToast('Who needs me: changes saved');
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Save">
      <p>Enter 0 to leave a reason out.</p>
      {THRESHOLDS.map(({ key, label, unit }) => (
        <NumberInput key={key} {...form.field(key)} label={label} unit={unit} />
      ))}
    </DialogForm>
  );
}
