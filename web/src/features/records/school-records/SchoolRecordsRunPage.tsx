import { Button } from '../../../ui/Button.tsx';
import { useState } from 'react';
import type { SchoolRecordsRun } from '#contract/calls/school-records.ts';
import { paths } from '../../../paths.ts';
import { isNotFound } from '../../../shared/api-error.ts';
import { formatDate, formatMoment } from '../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { useIdParam } from '../../../shared/parse-id.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { Confirm } from '../../../ui/Confirm.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../ui/toasts.ts';
import { NewLoginsDialog, storeNewLogins, useNewLogins } from '../../school/login-cards/login-cards.public.ts';
import { ReviewPlan } from './components/ReviewPlan.tsx';
import { changesInWords, describeArrival, originName, SKIP_REASON_NAMES, stateInWords } from './model/run-text.ts';
import { runQuery, useUndoRun } from './school-records.api.ts';
import { WhileOpen } from '../../school/school/school.public.ts';

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
  const found = usePrefetchedQuery(runQuery(useSchoolId(), runId));
  const logins = useNewLogins(useUser().id);
  const { run, plan, version, notes } = found.data ?? {};
  if (isNotFound(found.error)) return <FileNotFound crumbs={crumbs} />;
  return (
    <>
      <PageHeader title={run ? originName(run) : 'School records'} crumbs={crumbs} lead={run && describeArrival(run)} />
      {found.error && !found.data && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {run && plan && version && <ReviewPlan run={run} plan={plan} version={version} notes={notes ?? []} />}
      {run && !plan && <Result run={run} />}
      <NewLoginsDialog logins={logins} onClose={() => storeNewLogins(null)} />
    </>
  );
}

function Result({ run }: { run: SchoolRecordsRun }) {
  const undo = useUndoRun(useSchoolId(), run.id);
  const [isAsking, setAsking] = useState(false);
  const skipped = undo.data?.skipped ?? [];
  const { closed_at: at, undo_until: until } = run;
  return (
    <>
      <Notice
        kind={run.state === 'applied' ? 'success' : 'info'}
        title={stateInWords(run)}
        action={
          until && (
            <WhileOpen>
              <Button variant="default" size="sm" onClick={() => setAsking(true)}>
                Undo
              </Button>
            </WhileOpen>
          )
        }
      >
        {at && `${formatMoment(at)}. `}
        {run.counts && `${changesInWords(run.counts)}. `}
        {run.state === 'expired' && 'No one applied this plan within 30 days. Upload a current file, or check again. '}
        {until && `You can undo it until ${formatDate(until)}.`}
      </Notice>
      {skipped.length > 0 && (
        <Notice isOutcome kind="warning" title="We could not undo everything">
          <ul>
            {skipped.map(({ pupil, name, reason }) => (
              <li key={`${pupil} ${name}`}>
                {name}: {SKIP_REASON_NAMES[reason]}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Undo these changes?"
        action="Undo the changes"
        lost="Nothing has been changed."
        onConfirm={async () => {
          await undo.mutateAsync();
          showToast(DEFAULT_SUCCESS, { detail: 'The changes have been undone' });
        }}
      >
        <p>
          Pupils get back their former names and classes, and leavers are restored. Joiners go to the archive. We skip
          what was changed since, and list it with the reason. Erased pupils stay erased.
        </p>
      </Confirm>
    </>
  );
}
