import { RadioButtons } from '../../../../ui/Checkbox.tsx';
import { resetFactorsBody } from '#contract/calls/factor-recovery.ts';
import { fullName } from '../../../../shared/format.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useResetFactors } from '../teachers.api.ts';
import type { StaffMember } from './StaffTable.tsx';

interface Props {
  /** Open while there is one. */
  member: StaffMember | null;
  onClose: () => void;
}

/** The dialog that removes the second factors of a colleague who has lost them. */
export const ResetFactorsDialog = ({ member, onClose }: Props) => (
  <Dialog
    isOpen={member !== null}
    onClose={onClose}
    title={`Reset the second factor of ${member ? fullName(member) : ''}`}
  >
    {member && <CheckForm member={member} onClose={onClose} />}
  </Dialog>
);

function CheckForm({ member, onClose }: { member: StaffMember; onClose: () => void }) {
  const reset = useResetFactors();
  const form = useSchemaForm({ schema: resetFactorsBody, initialValues: { identity_check: '' } });
  const name = fullName(member);
  const submit = form.onSubmit(async (body) => {
    await reset.mutateAsync({ userId: member.id, body });
    onClose();
    showToast(`${name} can log in with their password and add a new second factor`);
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Reset second factor">
      <p>
        Do this when {name} has lost their phone or passkey and has no recovery codes. It removes all their passkeys,
        authenticator apps and recovery codes, and logs them out everywhere. You both get an email.
      </p>
      <RadioButtons
        {...form.field('identity_check')}
        label="How did you check that the request comes from them?"
        description="Anyone can write an email in their name. Your answer is recorded in the list of changes."
        data={[
          { value: 'in_person', label: 'In person' },
          { value: 'video_call', label: 'In a video call' },
          { value: 'phone_call', label: 'I called them on a number that we had before' },
        ]}
      />
    </DialogForm>
  );
}
