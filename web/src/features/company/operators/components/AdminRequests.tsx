import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  adminCheckBody,
  DAYS_TO_DECIDE,
  HOURS_TO_APPOINT,
  type OpenAdminRequest,
} from '#contract/calls/admin-requests.ts';
import { paths } from '../../../../paths.ts';
import { formatDate, formatMoment, haveLeftInWords, listInWords } from '../../../../shared/format.ts';
import { useUser } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { Link } from '../../../../ui/Link.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import {
  adminRequestsQuery,
  useCancelAdminRequest,
  useCheckAdminRequest,
  useConfirmAdminRequest,
} from '../operators.api.ts';

const stateOf = ({ check, due_at }: OpenAdminRequest): string =>
  due_at ? `takes effect on ${formatMoment(due_at)}` : check ? 'waits for another operator' : 'waits for a check';

/** `the only admin, Ada Okafor, has` or `all admins, Ada Okafor and Ben Price, have`; those who are gone are not named. */
function formerAdminsOf({ former_admins: people }: OpenAdminRequest): string {
  const names = listInWords(people.map(({ name }) => name));
  return people.length === 1 ? `the only admin, ${names}, has` : `all admins${names && `, ${names},`} have`;
}

/** The schools whose staff ask for an admin, with links. */
export function AdminRequestLinks() {
  const requests = useQuery(adminRequestsQuery()).data?.requests ?? [];
  if (requests.length === 0) return null;
  return (
    <Notice kind="warning" title="Schools that ask for an admin">
      <ul>
        {requests.map((request) => (
          <li key={request.id}>
            <Link to={paths.adminSchool(request.school.id)}>{request.school.name}</Link>, since{' '}
            {formatDate(request.requested_at)}: {stateOf(request)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The request of one school, with the steps of an operator. */
export function AdminRequest({ schoolId }: { schoolId: number }) {
  const requests = useQuery(adminRequestsQuery()).data?.requests;
  const request = requests?.find(({ school }) => school.id === schoolId);
  return request && <OpenRequest key={request.id} request={request} />;
}

function OpenRequest({ request }: { request: OpenAdminRequest }) {
  const me = useUser();
  const [isChecking, setChecking] = useState(false);
  const confirm = useConfirmAdminRequest(request.school.id);
  const cancel = useCancelAdminRequest(request.school.id);
  const { requested_by, new_admin, former_admins, note, requested_at, check, due_at } = request;
  const error = confirm.error ?? cancel.error;
  const newAdmin = new_admin?.name ?? 'Someone who has left';
  return (
    <Notice kind="warning" title={`Make ${newAdmin} an admin`}>
      <p>
        {requested_by?.name ?? 'Someone who has left'} told us on {formatMoment(requested_at)} that{' '}
        {formerAdminsOf(request)} left.{note && ` “${note}”`}
      </p>
      <ul>
        {former_admins.map((person) => (
          <PersonLine key={person.id} label="Reported to have left" person={person} />
        ))}
        <PersonLine label="New admin" person={new_admin} />
        {requested_by?.id !== new_admin?.id && <PersonLine label="Asks for it" person={requested_by} />}
      </ul>
      <p>
        {check
          ? `${check.by.name} recorded a check on ${formatMoment(check.at)}: “${check.text}” `
          : `Two operators decide within ${DAYS_TO_DECIDE} days. `}
        {due_at
          ? `It takes effect on ${formatMoment(due_at)}. All staff of the school have had an email.`
          : check && `Another operator must confirm it. ${HOURS_TO_APPOINT} hours later it takes effect.`}
      </p>
      {error && <ErrorNotice error={error} />}
      <div className="cluster">
        {!check && <Button onClick={() => setChecking(true)}>Record a check</Button>}
        {check && !due_at && check.by.id !== me.id && (
          <Button loading={confirm.isPending} onClick={() => confirm.mutate(request.id)}>
            Confirm the check
          </Button>
        )}
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(request.id)}>
          Cancel the request
        </Button>
      </div>
      <Dialog isOpen={isChecking} onClose={() => setChecking(false)} title={`Check the request for ${newAdmin}`}>
        <CheckForm request={request} onClose={() => setChecking(false)} />
      </Dialog>
    </Notice>
  );
}

function PersonLine({ label, person }: { label: string; person: OpenAdminRequest['new_admin'] }) {
  if (!person) return null;
  return (
    <li>
      {label}: {person.name}, {person.email},{' '}
      {person.last_used_at ? `last used the school on ${formatDate(person.last_used_at)}` : 'no login in 12 months'}
    </li>
  );
}

function CheckForm({ request, onClose }: { request: OpenAdminRequest; onClose: () => void }) {
  const { former_admins } = request;
  const names = former_admins.length > 0 ? former_admins.map(({ name }) => name) : ['the admin'];
  const record = useCheckAdminRequest(request.school.id);
  const form = useSchemaForm({ schema: adminCheckBody, initialValues: { check: '' } });
  const submit = form.onSubmit(async (body) => {
    await record.mutateAsync({ adminRequestId: request.id, body });
    onClose();
    showToast('Recorded. Another operator must confirm it.');
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Record the check">
      <p>
        Find the school’s telephone number in the public register, not in the request, and ask the office or the head
        whether {haveLeftInWords(names)} and who should follow.
      </p>
      <TextInput
        {...form.field('check')}
        label="What did you check, and with whom?"
        description="The school sees it in its list of changes."
        autoComplete="off"
      />
    </DialogForm>
  );
}
