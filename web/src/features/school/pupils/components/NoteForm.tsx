import { Textarea } from '../../../../ui/Field.tsx';
import { noteBody } from '#contract/calls/pupil-notes.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useAddNote } from '../pupil-notes.api.ts';

/** A new note on a pupil. */
export default function NoteForm({ pupilId, onClose }: { pupilId: number; onClose: () => void }) {
  const add = useAddNote(useSchoolId(), pupilId);
  const form = useSchemaForm({
    schema: noteBody,
    initialValues: { text: '' },
    unsavedText: 'The note has not been saved yet.',
  });
  const save = form.onSubmit(async (body) => {
    await add.mutateAsync(body);
    onClose();
    showToast('Note saved');
  });
  return (
    <DialogForm form={form} onSubmit={save} onCancel={onClose} action="Save note">
      <Textarea
        {...form.field('text')}
        label="Note"
        description="Your name and the date are kept with it."
        rows={4}
        maxRows={12}
        data-autofocus
      />
    </DialogForm>
  );
}
