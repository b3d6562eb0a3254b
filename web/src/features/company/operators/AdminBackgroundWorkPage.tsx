import { Button } from '../../../ui/Button.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from '../../../ui/Link.tsx';
import type { ReplyOf } from '#contract/call.ts';
import {
  type AuditAlarm,
  type backgroundWorkCalls,
  type FailedJob,
  type JobState,
  LATE_AFTER_S,
} from '#contract/calls/background-work.ts';
import { paths } from '../../../paths.ts';
import { count, formatDuration, formatDate, formatTime } from '../../../shared/format.ts';
import { DataTable, type Column, type RowModel, ROWS_BY_ID } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import type { TableDefaults } from '../../../ui/table-url-state.ts';
import { showToast } from '../../../ui/toasts.ts';
import { useTableState } from '../../../ui/use-table-state.ts';
import { backgroundWorkQuery, failedJobsQuery, useRetryJob } from './background-work.api.ts';
import { BouncedAddresses } from './components/BouncedAddresses.tsx';
import { OperatorLayout } from './components/OperatorLayout.tsx';
import { jobText } from './model/job-names.ts';

type Work = ReplyOf<typeof backgroundWorkCalls.getBackgroundWork>;

const TABLE_DEFAULTS: TableDefaults = { sorts: [] };
const STATE_ROW_MODEL: RowModel<JobState> = { key: ({ name }) => name };

const dayAndTime = (timestamp: string): string => `${formatDate(timestamp)}, ${formatTime(timestamp)}`;

/** Late and failed jobs and mails, with a way to retry. */
export default function AdminBackgroundWorkPage() {
  return (
    <OperatorLayout>
      <BackgroundWork />
    </OperatorLayout>
  );
}

function BackgroundWork() {
  const work = useQuery({ ...backgroundWorkQuery(), refetchInterval: 15_000 });
  const failure = work.error && !work.data && <ErrorNotice error={work.error} onRetry={() => void work.refetch()} />;
  return (
    <>
      <PageHeader
        title="Background work"
        lead="Emails, digests, reminders and clean-ups: what is waiting, late or failed. Updates every 15 seconds."
      />
      {work.data && work.data.audit_alarms.length > 0 && <AuditAlarms alarms={work.data.audit_alarms} />}
      {work.data && <Summary work={work.data} />}
      <section className="above-3xl">
        <h2>Failed</h2>
        <FailedJobs />
      </section>
      <section className="above-3xl">
        <h2>Addresses that bounce</h2>
        <BouncedAddresses />
      </section>
      <section className="above-3xl">
        <h2>All jobs</h2>
        <DataTable
          label="All jobs"
          columns={STATE_COLUMNS}
          rows={work.data?.jobs}
          rowModel={STATE_ROW_MODEL}
          noun={['job', 'jobs']}
          failure={failure}
          empty={<EmptyState title="No jobs" />}
        />
      </section>
    </>
  );
}

/** Schools whose audit log someone may have changed outside the portal. */
function AuditAlarms({ alarms }: { alarms: AuditAlarm[] }) {
  return (
    <Notice
      kind="error"
      title={
        alarms.length === 1
          ? 'An audit log does not match its signature'
          : `${alarms.length} audit logs do not match their signatures`
      }
    >
      <p>
        They are not signed until this is resolved. Run “npm run verify-audit” on the server to see what has changed.
      </p>
      <ul>
        {alarms.map(({ enterprise_id: id, breach, raised_at: at }) => (
          <li key={id}>
            <Link to={paths.adminSchool(id)}>School {id}</Link>: {breach}, since {dayAndTime(at)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** What needs help, or that nothing does. */
function Summary({ work: { jobs, mails } }: { work: Work }) {
  const late = jobs.filter(({ late_seconds: seconds }) => seconds >= LATE_AFTER_S);
  const hasLateMail = mails.waiting > 0 && mails.late_seconds >= LATE_AFTER_S;
  if (late.length === 0 && !hasLateMail && mails.given_up === 0 && mails.blamed_on_us === 0)
    return <Notice kind="success">Nothing is late. {count(mails.waiting, 'email')} waiting to be sent.</Notice>;
  return (
    <Notice kind="warning" title="Something needs help">
      {late.map(({ name, late_seconds: seconds }) => (
        <p key={name}>
          {jobText(name)}: late by {formatDuration(seconds)}
        </p>
      ))}
      {hasLateMail && (
        <p>
          {count(mails.waiting, 'email')} waiting to be sent, the oldest for {formatDuration(mails.late_seconds)}
        </p>
      )}
      {mails.blamed_on_us > 0 && (
        <p>
          {count(mails.blamed_on_us, 'email')} rejected in the last day because of us, not of the address. Check SPF,
          DKIM and blocklists.
        </p>
      )}
      {mails.given_up > 0 && <p>{count(mails.given_up, 'email')} could not be sent in the last 90 days</p>}
    </Notice>
  );
}

const STATE_COLUMNS: Column<JobState>[] = [
  { id: 'name', header: 'Job', cell: ({ name }) => jobText(name) },
  { id: 'waiting', header: 'Waiting', align: 'end', cell: ({ waiting }) => waiting },
  { id: 'active', header: 'Running', align: 'end', cell: ({ active }) => active },
  { id: 'failed', header: 'Failed this week', align: 'end', cell: ({ failed }) => failed },
  {
    id: 'late',
    header: 'Late by',
    cell: ({ late_seconds: seconds }) => (seconds > 0 ? formatDuration(seconds) : '–'),
  },
  {
    id: 'done',
    header: 'Last completed',
    isOneLine: true,
    cell: ({ schedule, last_done_at: doneAt }) => {
      if (doneAt) return dayAndTime(doneAt);
      return schedule ? 'not this week' : '–';
    },
  },
];

function FailedJobs() {
  const controls = useTableState(TABLE_DEFAULTS);
  const list = useQuery({ ...failedJobsQuery(controls.tableState), placeholderData: keepPreviousData });
  const { mutate, error } = useRetryJob();
  const columns = useMemo(
    () => columnsOf((job) => mutate(job, { onSuccess: () => showToast(`Retrying: ${jobText(job.name)}`) })),
    [mutate],
  );
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <DataTable
        label="Failed jobs"
        columns={columns}
        rows={list.data?.jobs}
        rowModel={ROWS_BY_ID}
        isStale={list.isPlaceholderData}
        controls={controls}
        total={list.data?.meta.total_filtered ?? 0}
        noun={['failed job', 'failed jobs']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={<EmptyState title="No job failed in the last seven days" />}
      />
    </>
  );
}

const columnsOf = (onRetry: (job: FailedJob) => void): Column<FailedJob>[] => [
  { id: 'name', header: 'Job', cell: ({ name }) => jobText(name) },
  {
    id: 'school',
    header: 'School',
    cell: ({ enterprise_id: id }) => (id === null ? '–' : <Link to={paths.adminSchool(id)}>School {id}</Link>),
  },
  {
    id: 'failed',
    header: 'Failed at',
    cell: ({ failed_at: at, tries }) => (
      <span className="nowrap">
        {dayAndTime(at)}, after {count(tries, 'try', 'tries')}
      </span>
    ),
  },
  { id: 'error', header: 'Error', cell: ({ error }) => error },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (job) => (
      <Button variant="default" aria-label={`Try ${jobText(job.name)} again`} onClick={() => onRetry(job)}>
        Try again
      </Button>
    ),
  },
];
