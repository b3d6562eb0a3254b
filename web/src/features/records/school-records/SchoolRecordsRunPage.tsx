import { paths } from '../../../paths.ts';
import { isNotFound } from '../../../shared/api-error.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { useIdParam } from '../../../shared/parse-id.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { NewLoginsDialog, storeNewLogins, useNewLogins } from '../../school/login-cards/login-cards.public.ts';
import { runQuery } from '../runs/run-queries.public.ts';
import { describeArrival, originName, RunResult } from '../runs/runs.public.ts';
import { ReviewPlan } from './components/ReviewPlan.tsx';
import { planQuery } from './school-records.api.ts';

/** A run of school records: the plan, or the result. */
export default function SchoolRecordsRunPage() {
  const runId = useIdParam('runId');
  const crumbs = [
    { text: 'School', to: paths.school() },
    { text: 'School records', to: paths.schoolRecords() },
  ];
  if (runId === undefined) return <FileNotFound crumbs={crumbs} />;
  return <Run key={runId} runId={runId} crumbs={crumbs} />;
}

/** Shown if the run does not exist or belongs to another school, which must look the same. */
function FileNotFound({ crumbs }: { crumbs: { text: string; to: string }[] }) {
  return (
    <>
      <PageHeader title="File not found" crumbs={crumbs} />
      <EmptyState
        title="We could not find this file"
        action={<ButtonLink to={paths.schoolRecords()}>Go to school records</ButtonLink>}
      />
    </>
  );
}

function Run({ runId, crumbs }: { runId: number; crumbs: { text: string; to: string }[] }) {
  const schoolId = useSchoolId();
  const found = usePrefetchedQuery(planQuery(schoolId, runId));
  const result = usePrefetchedQuery(runQuery(schoolId, runId));
  const logins = useNewLogins(useUser().id);
  const { run, plan, version, notes } = found.data ?? {};
  if (isNotFound(found.error)) return <FileNotFound crumbs={crumbs} />;
  const missing = [found, result].find(({ data }) => !data);
  return (
    <>
      <PageHeader title={run ? originName(run) : 'School records'} crumbs={crumbs} lead={run && describeArrival(run)} />
      {missing?.error && <ErrorNotice error={missing.error} onRetry={() => void missing.refetch()} />}
      {run && plan && version && <ReviewPlan run={run} plan={plan} version={version} notes={notes ?? []} />}
      {run && !plan && <RunResult run={run} changes={result.data?.changes ?? null} />}
      <NewLoginsDialog logins={logins} onClose={() => storeNewLogins(null)} />
    </>
  );
}
