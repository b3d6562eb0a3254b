import { Button } from '../../../../ui/Button.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { useState } from 'react';
import { eraseOwnAccountBody } from '#contract/calls/privacy.ts';
import { listInWords } from '../../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { useEraseOwnAccount } from '../account.api.ts';

/** Deleting the user's own account, after typing its address. */
export function EraseAccount() {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="above-3xl narrow" aria-labelledby="erase-account">
      <h2 id="erase-account">Delete your account</h2>
      <p>
        If you leave the school, you can delete your account. The only admin of a school makes a colleague an admin
        first, on Teachers.
      </p>
      <Button variant="default" color="brick" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Delete your account?">
        <EraseForm onClose={() => setOpen(false)} />
      </Dialog>
    </section>
  );
}

function EraseForm({ onClose }: { onClose: () => void }) {
  const { email, memberships } = useUser();
  const erase = useEraseOwnAccount(useSchoolId());
  const form = useSchemaForm({ schema: eraseOwnAccountBody, initialValues: { confirmation: '' } });
  const submit = form.onSubmit((body) => erase.mutateAsync(body));
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Delete for ever" isDangerous>
      <p>
        We erase your name, email address and logins at once, and log you out everywhere. What you did stays in the
        school’s changes without your name. You cannot undo this. To confirm, type your email address: {email}
      </p>
      {memberships.length > 1 && (
        <p>
          Your account ends at each of your schools:{' '}
          {listInWords(memberships.map((membership) => membership.enterprise.name))}.
        </p>
      )}
      <TextInput {...form.field('confirmation')} label="Your email address" autoComplete="off" />
    </DialogForm>
  );
}
