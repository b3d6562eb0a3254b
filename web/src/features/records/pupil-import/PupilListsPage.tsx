import { keepPreviousData } from '@tanstack/react-query';
import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useTableState } from '../../../ui/use-table-state.ts';
import { useSchool } from '../../school/school/school.public.ts';
import { runsTable } from '../runs/run-queries.public.ts';
import { RunsTable } from '../runs/runs.public.ts';
import { pupilListsQuery } from './pupil-import.api.ts';

/** The lists of pupils that were added, to undo one. */
export default function PupilListsPage() {
  const schoolId = useSchoolId();
  const isAdmin = can(useUser(), 'delete_pupil', useSchool());
  const controls = useTableState(runsTable);
  const list = usePrefetchedQuery({
    ...pupilListsQuery(schoolId, controls.tableState),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title="Lists of pupils"
        crumbs={[{ text: 'Pupils', to: paths.pupils() }]}
        lead={
          isAdmin
            ? 'The lists that were added to your school. Open one to undo it within 30 days.'
            : 'The lists that you added. Open one to undo it within 30 days.'
        }
      />
      <RunsTable
        label="Lists of pupils"
        empty="Nothing yet. Each list of pupils that is added appears here."
        list={list.data}
        isStale={list.isPlaceholderData}
        controls={controls}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      />
    </>
  );
}
