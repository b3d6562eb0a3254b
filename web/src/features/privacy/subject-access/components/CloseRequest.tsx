import { Button } from '../../../../ui/Button.tsx';
import { RadioButtons } from '../../../../ui/Checkbox.tsx';
import { Textarea } from '../../../../ui/Field.tsx';
import { useState } from 'react';
import { closeSubjectRequestBody, type SubjectRequestDetails } from '#contract/calls/subject-requests.ts';
import { RIGHTS } from '#contract/rights.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { REQUEST_WORDS } from '../model/request-words.ts';
import { useCloseRequest } from '../subject-access.api.ts';

/** Closes a request, with what was asked for done or not. */
export function CloseRequest({ request }: { request: SubjectRequestDetails }) {
  const [isClosing, setClosing] = useState(false);
  const close = () => setClosing(false);
  const action = REQUEST_WORDS[request.kind].close;
  return (
    <>
      <p>
        {RIGHTS[request.kind].hasFile
          ? 'Once you have handed the file over, record how. We then delete the file, and keep the request for three years.'
          : 'Tell the person what you decided and why, then record it. We keep the record for three years.'}
      </p>
      <Button variant="default" onClick={() => setClosing(true)}>
        {action}
      </Button>
      <Dialog isOpen={isClosing} onClose={close} title={action}>
        <CloseForm request={request} action={action} onClose={close} />
      </Dialog>
    </>
  );
}

interface FormProps {
  request: SubjectRequestDetails;
  action: string;
  onClose: () => void;
}

function CloseForm({ request, action, onClose }: FormProps) {
  const { noun, outcomes } = REQUEST_WORDS[request.kind];
  const { hasFile } = RIGHTS[request.kind];
  const save = useCloseRequest(useSchoolId(), request.id);
  const form = useSchemaForm({
    schema: closeSubjectRequestBody,
    initialValues: {
      outcome: !hasFile || request.downloads.length > 0 ? 'released' : 'not_released',
      note: '',
    },
    unsavedText: `The ${noun} has not been closed yet.`,
  });
  const chosen = outcomes[form.form.values.outcome === 'released' ? 'released' : 'not_released'];
  const submit = form.onSubmit(async (body) => {
    await save.mutateAsync(body);
    onClose();
    showToast(noun === 'complaint' ? 'Complaint closed' : 'Request closed');
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action={action}>
      <RadioButtons
        {...form.field('outcome')}
        label="How it ended"
        data={[
          { value: 'released', label: outcomes.released.choice },
          { value: 'not_released', label: outcomes.not_released.choice },
        ]}
      />
      <Textarea
        {...form.field('note')}
        label={chosen.note}
        description={`For example: ${chosen.example}`}
        rows={2}
        maxRows={6}
      />
    </DialogForm>
  );
}
