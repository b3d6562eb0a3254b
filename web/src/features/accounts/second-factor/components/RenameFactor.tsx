import { TextInput } from '../../../../ui/Field.tsx';
import { type Factor, factorNameBody } from '#contract/calls/second-factor.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { useRenameFactor } from '../second-factor.api.ts';

interface Props {
  /** Open while there is one. */
  factor: Factor | undefined;
  onClose: () => void;
}

/** The dialog that renames a passkey or an authenticator app. */
export const RenameFactor = ({ factor, onClose }: Props) => (
  <Dialog isOpen={factor !== undefined} onClose={onClose} title={`Rename ${factor?.name ?? ''}`}>
    {factor && <NameForm factor={factor} onClose={onClose} />}
  </Dialog>
);

function NameForm({ factor, onClose }: { factor: Factor; onClose: () => void }) {
  const rename = useRenameFactor();
  const form = useSchemaForm({ schema: factorNameBody, initialValues: { name: factor.name } });
  const submit = form.onSubmit(async ({ name }) => {
    await rename.mutateAsync({ factorId: factor.id, name });
    onClose();
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Rename">
      <TextInput {...form.field('name')} label="Name" autoComplete="off" data-autofocus />
    </DialogForm>
  );
}
