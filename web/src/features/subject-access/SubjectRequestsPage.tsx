import { keepPreviousData } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { SubjectRequest } from '#contract/calls/subject-requests.ts';
import { paths } from '../../paths.ts';
import { formatDate } from '../../shared/format.ts';
import { useSchoolId } from '../../shared/session.ts';
import { usePrefetchedQuery } from '../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { type Column, DataTable, ROWS_BY_ID } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useTableState } from '../../ui/use-table-state.ts';
import { RequestState, subjectName } from './components/RequestState.tsx';
import { pagedTable, requestsQuery } from './subject-access.api.ts';

const COLUMNS: Column<SubjectRequest>[] = [
  {
    id: 'subject',
    header: 'About',
    cell: (request) => <Link to={paths.subjectRequest(request.id)}>{subjectName(request)}</Link>,
  },
  {
    id: 'kind',
    header: 'Who they are',
    cell: ({ subject: { kind, is_former: isFormer } }) =>
      kind === 'pupil' ? (isFormer ? 'Former pupil' : 'Pupil') : isFormer ? 'Former staff' : 'Staff',
  },
  { id: 'requester', header: 'Requested by', cell: ({ requester_name: name }) => name ?? 'Name erased' },
  { id: 'received', header: 'Received', cell: ({ received_on: day }) => formatDate(day) },
  { id: 'state', header: 'State', cell: (request) => <RequestState request={request} /> },
];

/** The school's subject access requests, open ones first. For admins. */
export default function SubjectRequestsPage() {
  const schoolId = useSchoolId();
  const controls = useTableState(pagedTable);
  const list = usePrefetchedQuery({
    ...requestsQuery(schoolId, controls.tableState),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title="Subject access requests"
        crumbs={[
          { text: 'School', to: paths.school() },
          { text: 'Data and privacy', to: paths.dataAndPrivacy() },
        ]}
        lead="Anyone can ask for everything you hold about them or their child. You have a month to answer."
        actions={<ButtonLink to={paths.newSubjectRequest()}>New request</ButtonLink>}
      />
      <DataTable
        label="Subject access requests"
        columns={COLUMNS}
        rows={list.data?.requests}
        rowModel={ROWS_BY_ID}
        isStale={list.isPlaceholderData}
        controls={controls}
        total={list.data?.meta.total_filtered ?? 0}
        noun={['request', 'requests']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={
          <EmptyState title="No requests yet">
            Record a request on the day it arrives. We work out the due date and gather the data.
          </EmptyState>
        }
      />
    </>
  );
}
