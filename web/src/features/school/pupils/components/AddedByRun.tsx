import { useQuery } from '@tanstack/react-query';
import { formatDate } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Link } from '../../../../ui/Link.tsx';
import { runQuery } from '../../../records/runs/run-queries.public.ts';
import { originName, pageOfRun } from '../../../records/runs/runs.public.ts';

/** Names the list or the file of school records that added the pupils shown. */
export function AddedByRun({ runId }: { runId: number }) {
  const { data, error } = useQuery(runQuery(useSchoolId(), runId));
  if (!data) return `Added by a list or file${error ? ' that you cannot see' : ''}`;
  const { run } = data;
  return (
    <>
      Added by <Link to={pageOfRun(run)}>{originName(run)}</Link> on {formatDate(run.closed_at ?? run.created_at)}
    </>
  );
}
