import { type SchoolHours, schoolHoursBody } from '#contract/calls/term-dates.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useSaveSchoolHours } from '../term-dates.api.ts';
import css from './SchoolSettings.module.css';

/** When a school day starts and ends. */
export default function SchoolHoursForm({ hours: { from, to }, onClose }: { hours: SchoolHours; onClose: () => void }) {
  const save = useSaveSchoolHours(useSchoolId());
  const form = useSchemaForm({ schema: schoolHoursBody, initialValues: { from, to } });
  const submit = form.onSubmit(async (body) => {
    await save.mutateAsync(body);
    onClose();
    showToast('School hours saved');
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Save school hours">
      <div className={css.half}>
        <TextInput type="time" {...form.field('from')} label="School starts" />
        <TextInput type="time" {...form.field('to')} label="School ends" />
      </div>
    </DialogForm>
  );
}
