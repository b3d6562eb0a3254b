import { TextInput } from '../../../../ui/Field.tsx';
import { impersonationBody, type SchoolState } from '#contract/calls/operators.ts';
import { paths } from '../../../../paths.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { mintCode } from '../operators.api.ts';

interface Props {
  person: SchoolState['staff'][number] | null;
  school: Pick<SchoolState, 'id' | 'name'>;
  onClose: () => void;
}

/** Requires a reason, then logs the operator in as the person. */
export function LogInAsDialog({ person, school, onClose }: Props) {
  return (
    <Dialog
      isOpen={person !== null}
      onClose={onClose}
      title={person ? `Log in as ${person.first_name} ${person.last_name}` : ''}
    >
      {person && (
        <ReasonForm
          userId={person.id}
          name={`${person.first_name} ${person.last_name}`}
          school={school}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

const reasonForm = impersonationBody.pick({ reason: true });

function ReasonForm({
  userId,
  name,
  school,
  onClose,
}: {
  userId: number;
  name: string;
  school: Props['school'];
  onClose: () => void;
}) {
  const form = useSchemaForm({ schema: reasonForm, initialValues: { reason: '' } });
  const submit = form.onSubmit(async ({ reason }) => {
    const { code } = await mintCode(userId, school.id, reason);
    // A full page load, so that the console is the referrer of the new page.
    window.location.assign(paths.logInAs(code));
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action={`Log in as ${name}`}>
      <p>
        You will be logged out here and work as {name} for at most an hour. The audit log of {school.name} records the
        reason and everything you do, under both names.
      </p>
      <TextInput
        {...form.field('reason')}
        label="Reason"
        description="For example, the number of the request"
        autoComplete="off"
        data-autofocus
      />
    </DialogForm>
  );
}
