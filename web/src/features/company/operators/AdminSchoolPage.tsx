import { Button } from '../../../ui/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useParams } from '../../../shared/router.ts';
import type { SchoolState } from '#contract/calls/operators.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import { ROLE_TEXTS } from '#contract/permissions.ts';
import { paths } from '../../../paths.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { formatDate, formatMoney, formatTime } from '../../../shared/format.ts';
import { DataTable, type Column, ROWS_BY_ID } from '../../../ui/DataTable.tsx';
import { EmailText } from '../../../ui/EmailText.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { StatBox, StatBoxes } from '../../../ui/StatBox.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import { AdminRequest } from './components/AdminRequests.tsx';
import css from './components/ConsoleNavigation.module.css';
import { CustomPackageDialog } from './components/CustomPackageDialog.tsx';
import { LogInAsDialog } from './components/LogInAsDialog.tsx';
import { Recoveries, RecoveryDialog } from './components/Recoveries.tsx';
import { NewStatisticsSwitch } from './components/NewStatisticsSwitch.tsx';
import { OperatorLayout } from './components/OperatorLayout.tsx';
import { schoolStateQuery } from './operators.api.ts';

type Person = SchoolState['staff'][number];

/** One school, with buttons to log in as its staff. */
export default function AdminSchoolPage() {
  return (
    <OperatorLayout>
      <School schoolId={Number(useParams().id)} />
    </OperatorLayout>
  );
}

function School({ schoolId }: { schoolId: number }) {
  const { data, error, refetch } = useQuery(schoolStateQuery(schoolId));
  const [chosen, setChosen] = useState<Person | null>(null);
  const [owner, setOwner] = useState<Person | null>(null);
  const school = data?.school;
  const admins = school?.staff.filter(({ enterprise_user_role: role }) => role === 'admin') ?? [];
  const onlyAdminId = admins.length === 1 ? admins[0]?.id : undefined;
  const columns = useMemo(() => staffColumns(onlyAdminId, setChosen, setOwner), [onlyAdminId]);
  return (
    <>
      <PageHeader title={school?.name ?? 'School'} crumbs={[{ text: 'Schools', to: paths.admin() }]} />
      {error && !school && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !school && <PageSkeleton rows={6} />}
      {school && (
        <>
          <StatBoxes>
            <StatBox label="Pupils" value={school.counts.pupils} />
            <StatBox label="Classes" value={school.counts.classes} />
            <StatBox label="Staff" value={school.staff.length} />
            <StatBox label="Pending invites" value={school.counts.pending_invites} />
          </StatBoxes>
          <dl className={`fitted ${css.facts}`}>
            <Fact name="ID" text={String(school.id)} />
            <Fact name="URN" text={school.urn ?? 'None'} />
            <Fact name="Registered" text={formatDate(school.created_at)} />
            <Fact
              name="Terms"
              text={
                school.terms_accepted_at ? `Accepted on ${formatDate(school.terms_accepted_at)}` : 'Not accepted yet'
              }
            />
            <Fact name="Subscription" text={subscriptionText(school.subscription)} />
            <Fact
              name="Data about pupils"
              text={
                school.support_allowed_until
                  ? `Support may see it until ${formatTime(school.support_allowed_until)}`
                  : 'Closed to support, until an admin of the school allows it under School'
              }
            />
          </dl>
          <NewStatisticsSwitch schoolId={school.id} isOn={school.new_statistics} />
          <div className="above-l below-3xl">
            <CustomPackageDialog school={school} />
          </div>
          <h2>Staff</h2>
          <AdminRequest schoolId={school.id} />
          <Recoveries staff={school.staff} />
          <DataTable
            label="Staff"
            columns={columns}
            rows={school.staff}
            rowModel={ROWS_BY_ID}
            empty="This school has no staff."
          />
          <LogInAsDialog person={chosen} school={school} onClose={() => setChosen(null)} />
          <RecoveryDialog person={owner} onClose={() => setOwner(null)} />
        </>
      )}
    </>
  );
}

const Fact = ({ name, text }: { name: string; text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
);

function subscriptionText(subscription: SchoolState['subscription']): string {
  if (!subscription) return 'None';
  const { is_trial, has_expired, expires_at, payment_amount, max_readers: places } = subscription;
  const size = places >= UNLIMITED_READERS ? 'unlimited students' : `up to ${places} students`;
  return `${is_trial ? 'Free trial' : formatMoney(payment_amount)}, ${size}, ${has_expired ? 'ended' : 'until'} ${formatDate(expires_at)}`;
}

const staffColumns = (
  onlyAdminId: number | undefined,
  onChoose: (person: Person) => void,
  onRecover: (person: Person) => void,
): Column<Person>[] => [
  { id: 'name', header: 'Name', cell: ({ first_name, last_name }) => `${first_name} ${last_name}` },
  { id: 'email', header: 'Email', cell: ({ email }) => <EmailText email={email} /> },
  {
    id: 'role',
    header: 'Role',
    isOneLine: true,
    cell: ({ role }) => ROLE_TEXTS[role].name,
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (person) =>
      person.is_operator ? (
        'Operator'
      ) : (
        <>
          {person.id === onlyAdminId && (
            <Button
              variant="subtle"
              aria-label={`Reset second factor of ${person.first_name} ${person.last_name}`}
              onClick={() => onRecover(person)}
            >
              Reset second factor
            </Button>
          )}
          <Button
            variant="default"
            aria-label={`Log in as ${person.first_name} ${person.last_name}`}
            onClick={() => onChoose(person)}
          >
            Log in as
          </Button>
        </>
      ),
  },
];
