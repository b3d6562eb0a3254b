import { Button } from '../../../../ui/Button.tsx';
import { RadioButtons } from '../../../../ui/Checkbox.tsx';
import { useQuery } from '@tanstack/react-query';
import { type FactorRecovery, resetFactorsBody } from '#contract/calls/factor-recovery.ts';
import type { SchoolState } from '#contract/calls/operators.ts';
import { formatMoment, fullName } from '../../../../shared/format.ts';
import { useUser } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { recoveriesQuery, useCancelRecovery, useConfirmRecovery, useRequestRecovery } from '../operators.api.ts';

type Person = SchoolState['staff'][number];

const CHECKS: Record<FactorRecovery['identity_check'], string> = {
  in_person: 'in person',
  video_call: 'in a video call',
  phone_call: 'by calling a known number',
};

/** The requests to remove the second factors of staff of a school. */
export function Recoveries({ staff }: { staff: readonly Person[] }) {
  const found = useQuery(recoveriesQuery());
  const ids = new Set(staff.map(({ id }) => id));
  return found.data?.recoveries
    .filter(({ user }) => ids.has(user.id))
    .map((recovery) => <Recovery key={recovery.user.id} recovery={recovery} />);
}

function Recovery({
  recovery: { user, requested_by, requested_at, due_at, identity_check },
}: {
  recovery: FactorRecovery;
}) {
  const me = useUser();
  const confirm = useConfirmRecovery();
  const cancel = useCancelRecovery();
  const error = confirm.error ?? cancel.error;
  return (
    <Notice kind="warning" title={`Second factor of ${user.full_name}`}>
      <p>
        {requested_by.full_name} asked on {formatMoment(requested_at)} to remove it, after an identity check{' '}
        {CHECKS[identity_check]}.{' '}
        {due_at
          ? `We will remove it on ${formatMoment(due_at)}. All staff of the school have had an email.`
          : 'Another operator must confirm this within 7 days.'}
      </p>
      {error && <ErrorNotice error={error} />}
      {!due_at && requested_by.id !== me.id && (
        <Button loading={confirm.isPending} onClick={() => confirm.mutate(user.id)}>
          Confirm the request
        </Button>
      )}{' '}
      <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(user.id)}>
        Cancel the request
      </Button>
    </Notice>
  );
}

interface Props {
  /** Open while there is one. */
  person: Person | null;
  onClose: () => void;
}

/** The dialog that asks to remove the second factors of a school's only admin. */
export const RecoveryDialog = ({ person, onClose }: Props) => (
  <Dialog
    isOpen={person !== null}
    onClose={onClose}
    title={`Reset the second factor of ${person ? fullName(person) : ''}`}
  >
    {person && <RequestForm person={person} onClose={onClose} />}
  </Dialog>
);

function RequestForm({ person, onClose }: { person: Person; onClose: () => void }) {
  const request = useRequestRecovery();
  const form = useSchemaForm({ schema: resetFactorsBody, initialValues: { identity_check: '' } });
  const submit = form.onSubmit(async (body) => {
    await request.mutateAsync({ user_id: person.id, ...body });
    onClose();
    showToast('Requested. Another operator must confirm it.');
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Request">
      <p>
        For the only admin of a school, who has no colleague to do it. Another operator confirms the request. 24 hours
        later we remove the second factor. All staff of the school get an email before that.
      </p>
      <RadioButtons
        {...form.field('identity_check')}
        label="How did you check that the request comes from them?"
        description="The school’s audit log records it."
        data={[
          { value: 'in_person', label: 'In person' },
          { value: 'video_call', label: 'In a video call' },
          { value: 'phone_call', label: 'By calling a number that we knew before' },
        ]}
      />
    </DialogForm>
  );
}
