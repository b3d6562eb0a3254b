import { TextInput } from '@mantine/core';
import { dismissBody } from '#contract/calls/reading-needs.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useDismiss } from '../reading-needs.api.ts';

interface Props {
  pupil: { id: number; name: string };
  onClose: () => void;
  onDone: () => void;
}

/** Asks why a pupil is taken off the list. */
export default function DismissForm({ pupil, onClose, onDone }: Props) {
  const dismiss = useDismiss(useSchoolId(), pupil.id);
  const form = useSchemaForm({ schema: dismissBody, initialValues: { reason: '' } });
  const save = form.onSubmit(async (body) => {
    await dismiss.mutateAsync(body);
    onDone();
    showToast(`${pupil.name} is off the list for two weeks`);
  });
  return (
    <DialogForm form={form} onSubmit={save} onCancel={onClose} action="Dismiss for two weeks">
      <TextInput
        {...form.field('reason')}
        label="Reason"
        description="Your colleagues see it. For example: Away until December, Spoke with the parents"
        autoComplete="off"
        maxLength={200}
        data-autofocus
      />
    </DialogForm>
  );
}
