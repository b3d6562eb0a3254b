import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '../../../ui/Link.tsx';
import type { FoundSchool } from '#contract/calls/operators.ts';
import { paths } from '../../../paths.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { formatDate } from '../../../shared/format.ts';
import { DataTable, type Column, ROWS_BY_ID } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { TableSearch } from '../../../ui/TableSearch.tsx';
import { Toolbar } from '../../../ui/Toolbar.tsx';
import type { TableDefaults } from '../../../ui/table-url-state.ts';
import { useTableState } from '../../../ui/use-table-state.ts';
import { AdminRequestLinks } from './components/AdminRequests.tsx';
import { OperatorLayout } from './components/OperatorLayout.tsx';
import { schoolsQuery } from './operators.api.ts';

/** The server lists the newest first. */
const TABLE_DEFAULTS: TableDefaults = { sorts: [] };

const COLUMNS: Column<FoundSchool>[] = [
  { id: 'name', header: 'School', cell: ({ id, name }) => <Link to={paths.adminSchool(id)}>{name}</Link> },
  { id: 'id', header: 'ID', align: 'end', cell: ({ id }) => id },
  { id: 'urn', header: 'URN', cell: ({ urn }) => urn ?? '–' },
  { id: 'staff', header: 'Staff', align: 'end', cell: ({ staff_count }) => staff_count },
  { id: 'since', header: 'Registered', isOneLine: true, cell: ({ created_at }) => formatDate(created_at) },
  {
    id: 'until',
    header: 'Subscription until',
    isOneLine: true,
    cell: ({ expires_at }) => (expires_at ? formatDate(expires_at) : 'None'),
  },
];

/** The operator's console: search for a school. */
export default function AdminPage() {
  return (
    <OperatorLayout>
      <Schools />
    </OperatorLayout>
  );
}

function Schools() {
  const controls = useTableState(TABLE_DEFAULTS);
  const list = useQuery({ ...schoolsQuery(controls.tableState), placeholderData: keepPreviousData });
  return (
    <>
      <PageHeader title="Schools" />
      <AdminRequestLinks />
      <Toolbar>
        <TableSearch label="Search by name, ID, URN or staff email" />
      </Toolbar>
      <DataTable
        label="Schools"
        columns={COLUMNS}
        rows={list.data?.schools}
        rowModel={ROWS_BY_ID}
        isStale={list.isPlaceholderData}
        controls={controls}
        total={list.data?.meta.total_filtered ?? 0}
        noun={['school', 'schools']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={
          <EmptyState title="No school found">
            Search by the school’s name, ID or URN, or the email address of a member of staff.
          </EmptyState>
        }
      />
    </>
  );
}
