import { paths } from '../../../paths.ts';
import { isNotFound } from '../../../shared/api-error.ts';
import { useIdParam } from '../../../shared/parse-id.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { runQuery } from '../runs/run-queries.public.ts';
import { describeArrival, originName, RunResult } from '../runs/runs.public.ts';
import { markAdded } from './model/added-pupils.ts';

const CRUMBS = [
  { text: 'Pupils', to: paths.pupils() },
  { text: 'Lists of pupils', to: paths.pupilLists() },
];

/** A list of pupils that was added, with its undo. */
export default function PupilListPage() {
  const runId = useIdParam('runId');
  return runId === undefined ? <ListNotFound /> : <List key={runId} runId={runId} />;
}

/** Shown if the list does not exist or is not the user's, which must look the same. */
const ListNotFound = () => (
  <>
    <PageHeader title="List not found" crumbs={CRUMBS} />
    <EmptyState
      title="We could not find this list"
      action={<ButtonLink to={paths.pupilLists()}>Go to the lists of pupils</ButtonLink>}
    />
  </>
);

function List({ runId }: { runId: number }) {
  const found = usePrefetchedQuery(runQuery(useSchoolId(), runId));
  const { run, changes = null } = found.data ?? {};
  if (isNotFound(found.error)) return <ListNotFound />;
  return (
    <>
      <PageHeader title={run ? originName(run) : 'List of pupils'} crumbs={CRUMBS} lead={run && describeArrival(run)} />
      {found.error && !found.data && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {run && <RunResult run={run} changes={changes} onUndone={() => markAdded(null)} />}
    </>
  );
}
