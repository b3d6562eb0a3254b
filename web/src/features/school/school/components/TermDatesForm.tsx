import { TextInput } from '../../../../ui/Field.tsx';
import { type TermDates, termDatesBody } from '#contract/calls/term-dates.ts';
import { academicYearName, HALF_TERMS } from '#contract/school-calendar.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useSaveTermDates } from '../term-dates.api.ts';
import css from './SchoolSettings.module.css';

/** The first and last day of each half-term of a year. */
export default function TermDatesForm({ dates, onClose }: { dates: TermDates; onClose: () => void }) {
  const { academic_year, half_terms } = dates;
  const save = useSaveTermDates(useSchoolId());
  const form = useSchemaForm({ schema: termDatesBody, initialValues: { academic_year, half_terms } });
  const submit = form.onSubmit(async (body) => {
    await save.mutateAsync(body);
    onClose();
    showToast(`Term dates of ${academicYearName(academic_year)} saved`);
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Save term dates">
      {HALF_TERMS.map((name, index) => (
        <fieldset key={name} className={css.half}>
          <legend>{name}</legend>
          <TextInput type="date" {...form.field(`half_terms.${index}.first_day`)} label="First day" />
          <TextInput type="date" {...form.field(`half_terms.${index}.last_day`)} label="Last day" />
        </fieldset>
      ))}
    </DialogForm>
  );
}
