import { adminRequestBody, DAYS_TO_DECIDE, HOURS_TO_APPOINT } from '#contract/calls/admin-requests.ts';
import type { School } from '#contract/calls/school.ts';
import { paths } from '../../../paths.ts';
import { formatDate, formatMoment, fullName, haveLeftInWords, listInWords } from '../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { NativeSelect, TextInput } from '../../../ui/Field.tsx';
import { Form } from '../../../ui/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { schoolQuery, useCanChange } from '../school/school.public.ts';
import { adminsOf } from './model/admins.ts';
import { useRequestAdmin, useStopAdminRequest } from './succession.api.ts';

type Person = School['users'][number];

/** Where a teacher tells us that all admins have left, and where the appointment of an admin is seen and stopped. */
export default function AppointAdminPage() {
  const result = usePrefetchedQuery(schoolQuery(useSchoolId()));
  const school = result.data?.enterprise;
  return (
    <div className="narrow">
      <PageHeader title="Appoint an admin" crumbs={[{ text: 'Teachers', to: paths.teachers() }]} />
      {!school && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {school &&
        (school.admin_request ? <OpenRequest request={school.admin_request} /> : <NoRequest school={school} />)}
    </div>
  );
}

function OpenRequest({ request }: { request: NonNullable<School['admin_request']> }) {
  const me = useUser();
  const canChange = useCanChange();
  const stop = useStopAdminRequest();
  const { id, due_at: dueAt, requested_at: requestedAt } = request;
  const requester = request.requested_by?.name ?? 'A former colleague';
  const newAdmin = request.new_admin?.name ?? 'a former colleague';
  const formerAdmins =
    request.former_admins.length > 0 ? request.former_admins.map(({ name }) => name) : ['the former admin'];
  const former = listInWords(formerAdmins);
  const isOwn = request.requested_by?.id === me.id;
  const canStop = isOwn || request.new_admin?.id === me.id || me.enterprise_user_role === 'admin';
  return (
    <>
      <Notice kind="warning" title={`${newAdmin} in place of ${former}`}>
        <p>
          On {formatDate(requestedAt)} {requester} told us that {haveLeftInWords(formerAdmins)}, and asked us to make{' '}
          {newAdmin} an admin.
        </p>
        <p>
          {dueAt
            ? `We have checked this. On ${formatMoment(dueAt)} ${newAdmin} becomes an admin, and ${former} no longer ${formerAdmins.length === 1 ? 'has' : 'have'} access to your school. All staff have had an email.`
            : `We are checking this and decide by ${formatDate(lastDayOf(requestedAt))}. Then all staff get an email, and ${newAdmin} becomes an admin ${HOURS_TO_APPOINT} hours later.`}
        </p>
      </Notice>
      {stop.error && <ErrorNotice error={stop.error} />}
      {canStop && canChange && !me.impersonated_by && (
        <Button
          variant="default"
          color="brick"
          loading={stop.isPending}
          onClick={() =>
            stop.mutate(id, {
              onSuccess: () => showToast(isOwn ? 'The request is withdrawn' : 'The request is stopped'),
            })
          }
        >
          {isOwn ? 'Withdraw the request' : 'Stop it'}
        </Button>
      )}
    </>
  );
}

const lastDayOf = (requestedAt: string): string =>
  new Date(Date.parse(requestedAt) + DAYS_TO_DECIDE * 86_400_000).toISOString();

function NoRequest({ school }: { school: School }) {
  const me = useUser();
  const canChange = useCanChange();
  const admins = adminsOf(school);
  if (admins.some(({ id }) => id === me.id))
    return (
      <Notice action={<ButtonLink to={paths.teachers()}>Go to teachers</ButtonLink>}>
        You are an admin. On Teachers you can make a colleague an admin too, and remove those who have left.
      </Notice>
    );
  if (!canChange || me.impersonated_by) return <Notice>Only staff of an open school can ask for this.</Notice>;
  return <RequestForm admins={admins} teachers={school.users.filter((person) => !admins.includes(person))} />;
}

function RequestForm({ admins, teachers }: { admins: readonly Person[]; teachers: readonly Person[] }) {
  const me = useUser();
  const request = useRequestAdmin();
  const form = useSchemaForm({
    schema: adminRequestBody,
    initialValues: { former_admin_ids: admins.map(({ id }) => id), new_admin_id: me.id, note: '' },
    unsavedText: 'We have not been sent your request yet.',
  });
  const names = admins.map(fullName);
  const only = names.length === 1 ? names[0] : undefined;
  const submit = form.onSubmit(async (body) => {
    await request.mutateAsync(body);
    showToast('We have your request');
  });
  return (
    <>
      {only ? (
        <p>
          {only} is the only admin of your school. If {only} has left and cannot make anyone else an admin, tell us whom
          we should appoint.
        </p>
      ) : (
        <>
          <p>Your school has {names.length} admins:</p>
          <ul>
            {admins.map((admin) => (
              <li key={admin.id}>{fullName(admin)}</li>
            ))}
          </ul>
          <p>If one of them is still here, ask them: an admin can make you one.</p>
          <p>If all of them have left and cannot make anyone else an admin, tell us whom we should appoint.</p>
        </>
      )}
      <ol>
        <li>
          We send {only ?? 'all of them'} and your school’s contacts an email at once. {only ?? 'Each of them'} can stop
          it.
        </li>
        <li>Two of us check it, for example by calling the school office, within {DAYS_TO_DECIDE} days.</li>
        <li>
          We send all staff an email. {HOURS_TO_APPOINT} hours later your colleague is an admin, and{' '}
          {only ? `${only} no longer has` : 'the former admins no longer have'} access to your school.
        </li>
      </ol>
      <Form form={form} onSubmit={submit}>
        <NativeSelect
          {...form.field('new_admin_id')}
          label="Who should be the new admin?"
          value={String(form.form.values.new_admin_id)}
          onChange={({ currentTarget }) => form.form.setFieldValue('new_admin_id', Number(currentTarget.value))}
          data={teachers.map((teacher) => ({
            value: String(teacher.id),
            label: `${fullName(teacher)}${teacher.id === me.id ? ' (you)' : ''}`,
          }))}
        />
        <TextInput
          {...form.field('note')}
          label="What should we know? (optional)"
          description={`For example when ${only ?? 'they'} left, and whom we can ask. Only our support reads it.`}
          autoComplete="off"
        />
        <p>You confirm that {haveLeftInWords(names)}.</p>
        <Button type="submit" loading={form.isSubmitting}>
          Ask us to appoint an admin
        </Button>
      </Form>
    </>
  );
}
