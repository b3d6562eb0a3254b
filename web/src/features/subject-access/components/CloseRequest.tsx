import { Button, Radio, Textarea } from '@mantine/core';
import { useState } from 'react';
import { closeSubjectRequestBody, type SubjectRequestDetails } from '#contract/calls/subject-requests.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useCloseRequest } from '../subject-access.api.ts';

/** Closes a request, as released or without release. */
export function CloseRequest({ request }: { request: SubjectRequestDetails }) {
  const [isClosing, setClosing] = useState(false);
  const close = () => setClosing(false);
  return (
    <>
      <p>
        Once you have handed the file over, record how. We then delete the file, and keep the request for three years.
      </p>
      <Button variant="default" onClick={() => setClosing(true)}>
        Close the request
      </Button>
      <Dialog isOpen={isClosing} onClose={close} title="Close the request">
        <CloseForm request={request} onClose={close} />
      </Dialog>
    </>
  );
}

function CloseForm({ request, onClose }: { request: SubjectRequestDetails; onClose: () => void }) {
  const save = useCloseRequest(useSchoolId(), request.id);
  const form = useSchemaForm({
    schema: closeSubjectRequestBody,
    initialValues: {
      outcome: request.downloads.length > 0 ? 'released' : 'not_released',
      note: '',
    },
    unsavedText: 'The request has not been closed yet.',
  });
  const isReleased = form.form.values.outcome === 'released';
  const submit = form.onSubmit(async (body) => {
    await save.mutateAsync(body);
    onClose();
    showToast('Request closed');
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Close the request">
      <Radio.Group {...form.field('outcome')} label="How it ended">
        <Radio value="released" label="The file was handed over" mt="xs" />
        <Radio value="not_released" label="Nothing was handed over" mt="xs" />
      </Radio.Group>
      <Textarea
        {...form.field('note')}
        label={isReleased ? 'To whom and how' : 'Why not'}
        description={
          isReleased
            ? 'For example: “To Gwen Marsh, on paper, at the office.”'
            : 'For example: “The parent withdrew the request.”'
        }
        autosize
        minRows={2}
        maxRows={6}
      />
    </DialogForm>
  );
}
