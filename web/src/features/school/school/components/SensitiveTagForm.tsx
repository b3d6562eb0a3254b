import { TextInput } from '../../../../ui/Field.tsx';
import { type PupilTag, SENSITIVE_TAGS, type SensitiveKind, sensitiveTagBody } from '#contract/calls/pupil-tags.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useTurnOnSensitiveTag } from '../pupil-tags.api.ts';

interface Props {
  kind: SensitiveKind;
  /** The tag, if it is on. */
  tag: PupilTag | undefined;
  onClose: () => void;
}

/** The purpose of a sensitive tag, which turns it on. */
export default function SensitiveTagForm({ kind, tag, onClose }: Props) {
  const turnOn = useTurnOnSensitiveTag(useSchoolId());
  const form = useSchemaForm({ schema: sensitiveTagBody, initialValues: { kind, purpose: tag?.purpose ?? '' } });
  const submit = form.onSubmit(async (body) => {
    await turnOn.mutateAsync(body);
    onClose();
    showToast(tag ? 'Purpose saved' : `${SENSITIVE_TAGS[kind]} turned on`);
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action={tag ? 'Save' : 'Turn on'}>
      <p>
        This is sensitive information about children. Only record it if your school’s data protection policy allows it
        here, and only for the pupils who need it.
      </p>
      <TextInput
        {...form.field('purpose')}
        label="Purpose"
        description="What your school uses the tag for, such as planning extra reading time. Everyone who sees the tag can read it."
        autoComplete="off"
        data-autofocus
      />
    </DialogForm>
  );
}
