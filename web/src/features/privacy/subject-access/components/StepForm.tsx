import { Textarea, TextInput } from '../../../../ui/Field.tsx';
import { subjectStepBody } from '#contract/calls/subject-requests.ts';
import type { RequestStep } from '#contract/rights.ts';
import { today } from '../../../../shared/school-day.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { STEP_WORDS } from '../model/request-words.ts';
import { useRecordStep } from '../subject-access.api.ts';

const schema = subjectStepBody.omit({ step: true });

/** Records that something happened in a request, on a day. */
export function StepForm({ requestId, step, onClose }: { requestId: number; step: RequestStep; onClose: () => void }) {
  const record = useRecordStep(useSchoolId(), requestId);
  const { note, effect } = STEP_WORDS[step];
  const form = useSchemaForm({
    schema,
    initialValues: { on: today(), note: note ? '' : null },
    unsavedText: 'The step has not been recorded yet.',
    idPrefix: 'step-',
  });
  const submit = form.onSubmit(async (body) => {
    await record.mutateAsync({ ...body, step });
    onClose();
    showToast('Step recorded');
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Record it">
      <p>{effect}</p>
      <TextInput {...form.field('on')} type="date" label="On" />
      {note && (
        <Textarea {...form.field('note')} label={note.label} description={note.description} rows={2} maxRows={6} />
      )}
    </DialogForm>
  );
}
