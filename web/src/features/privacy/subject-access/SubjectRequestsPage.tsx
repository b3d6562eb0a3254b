import { NativeSelect } from '../../../ui/Field.tsx';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '../../../ui/Link.tsx';
import type { SubjectRequest } from '#contract/calls/subject-requests.ts';
import { REQUEST_KINDS } from '#contract/rights.ts';
import { paths } from '../../../paths.ts';
import { formatDate } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { type Column, DataTable, ROWS_BY_ID } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { QueryForm } from '../../../ui/QueryForm.tsx';
import { SearchParamsLink } from '../../../ui/SearchParamsLink.tsx';
import { Toolbar } from '../../../ui/Toolbar.tsx';
import { useTableState } from '../../../ui/use-table-state.ts';
import { RequestState } from './components/RequestState.tsx';
import { REQUEST_WORDS, subjectName } from './model/request-words.ts';
import { parseKind, requestsQuery, requestsTable } from './subject-access.api.ts';

const COLUMNS: Column<SubjectRequest>[] = [
  {
    id: 'request',
    header: 'Request',
    cell: (request) => (
      <Link to={paths.subjectRequest(request.id)}>
        {REQUEST_WORDS[request.kind].name}: {subjectName(request)}
      </Link>
    ),
  },
  {
    id: 'who',
    header: 'Who they are',
    cell: ({ subject: { kind, is_former: isFormer } }) =>
      kind === 'pupil' ? (isFormer ? 'Former pupil' : 'Pupil') : isFormer ? 'Former staff' : 'Staff',
  },
  { id: 'requester', header: 'Requested by', cell: ({ requester_name: name }) => name ?? 'Name erased' },
  { id: 'received', header: 'Received', cell: ({ received_on: day }) => formatDate(day) },
  { id: 'state', header: 'State', isOneLine: true, cell: (request) => <RequestState request={request} /> },
];

/** The school's requests and complaints about data, open ones first. For admins. */
export default function SubjectRequestsPage() {
  const schoolId = useSchoolId();
  const controls = useTableState(requestsTable);
  const list = usePrefetchedQuery({
    ...requestsQuery(schoolId, controls.tableState),
    placeholderData: keepPreviousData,
  });
  const kind = parseKind(controls.tableState.filters.kind);
  return (
    <>
      <PageHeader
        title="Requests and complaints"
        crumbs={[
          { text: 'School', to: paths.school() },
          { text: 'Data and privacy', to: paths.dataAndPrivacy() },
        ]}
        lead="What people ask about data on them or their child, and when the answer is due."
        actions={<ButtonLink to={paths.newSubjectRequest()}>New request or complaint</ButtonLink>}
      />
      <Toolbar>
        <QueryForm sets={['kind']} action="Show these">
          <NativeSelect
            label="What"
            name="kind"
            value={kind ?? ''}
            onChange={(event) => controls.setFilter('kind', event.currentTarget.value)}
            data={[
              { value: '', label: 'Everything' },
              ...REQUEST_KINDS.map((value) => ({ value, label: REQUEST_WORDS[value].name })),
            ]}
          />
        </QueryForm>
      </Toolbar>
      <DataTable
        label="Requests and complaints"
        columns={COLUMNS}
        rows={list.data?.requests}
        rowModel={ROWS_BY_ID}
        isStale={list.isPlaceholderData}
        controls={controls}
        total={list.data?.meta.total_filtered ?? 0}
        noun={['request', 'requests']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={
          kind ? (
            <EmptyState title="Nothing of this kind">
              <SearchParamsLink changes={{ kind: null, page: null }}>Show everything</SearchParamsLink>
            </EmptyState>
          ) : (
            <EmptyState title="No requests yet">
              Record a request or complaint on the day it arrives. We work out when the answer is due.
            </EmptyState>
          )
        }
      />
    </>
  );
}
