import { TextInput } from '../../../../ui/Field.tsx';
import { factorNameBody } from '#contract/calls/second-factor.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { isCancelled, isKnownDevice } from '../model/passkeys.ts';

export interface AddFactorProps {
  isOpen: boolean;
  onClose: () => void;
  /** @param recoveryCodes of the account's first factor */
  onAdded: (name: string, recoveryCodes: string[] | null) => void;
}

interface Props extends AddFactorProps {
  /** Returns the recovery codes of the account's first factor. */
  add: (name: string) => Promise<string[] | null>;
}

/** The dialog that adds a passkey. */
export const AddPasskey = (props: Props) => (
  <Dialog isOpen={props.isOpen} onClose={props.onClose} title="Add a passkey">
    <PasskeyForm {...props} />
  </Dialog>
);

function explain(error: unknown): string[] | undefined {
  if (isKnownDevice(error)) return ['This device already has a passkey for your account.'];
  if (isCancelled(error)) return ['No passkey was created. Press “Create passkey” to try again.'];
  return undefined;
}

function PasskeyForm({ onClose, add, onAdded }: Props) {
  const form = useSchemaForm({
    schema: factorNameBody,
    initialValues: { name: '' },
    explain: (error) => explain(error) as string[],
  });
  const submit = form.onSubmit(async ({ name }) => onAdded(name, await add(name)));
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Create passkey">
      <TextInput
        {...form.field('name')}
        label="Name"
        description="Which device it is on, such as “School laptop”. Your browser then asks for your fingerprint, face or PIN."
        autoComplete="off"
        data-autofocus
      />
    </DialogForm>
  );
}
