import { TextInput } from '../../../../ui/Field.tsx';
import { type PupilTag, pupilTagBody } from '#contract/calls/pupil-tags.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useSaveTag } from '../pupil-tags.api.ts';

/** The name of a new tag, or of the tag to rename. */
export default function TagNameForm({ tag, onClose }: { tag: PupilTag | undefined; onClose: () => void }) {
  const save = useSaveTag(useSchoolId(), tag?.id);
  const form = useSchemaForm({ schema: pupilTagBody, initialValues: { name: tag?.name ?? '' } });
  const submit = form.onSubmit(async (body) => {
    await save.mutateAsync(body);
    onClose();
    showToast('Tag saved');
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Save">
      <TextInput {...form.field('name')} label="Name of the tag" autoComplete="off" data-autofocus />
    </DialogForm>
  );
}
