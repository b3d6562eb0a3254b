import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RetentionNight } from '#contract/calls/privacy.ts';
import { count, formatDate } from '../../../shared/format.ts';
import { type Column, DataTable, type RowModel } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import type { TableDefaults } from '../../../ui/table-url-state.ts';
import { useTableState } from '../../../ui/use-table-state.ts';
import { retentionRunsQuery } from './background-work.api.ts';
import { OperatorLayout } from './components/OperatorLayout.tsx';

const TABLE_DEFAULTS: TableDefaults = { sorts: [] };
const ROW_MODEL: RowModel<RetentionNight> = { key: ({ day }) => day };

const COLUMNS: Column<RetentionNight>[] = [
  { id: 'day', header: 'Night', isOneLine: true, cell: ({ day }) => formatDate(day) },
  {
    id: 'rows',
    header: 'Removed',
    align: 'end',
    cell: ({ tables }) =>
      count(
        tables.reduce((sum, { removed }) => sum + removed, 0),
        'row',
      ),
  },
  {
    id: 'what',
    header: 'What',
    cell: ({ tables }) =>
      tables
        .filter(({ removed }) => removed > 0)
        .map(({ title, table, removed }) => `${title} (${table}): ${removed}`)
        .join(', ') || 'Nothing was due',
  },
  {
    id: 'failed',
    header: 'Failed',
    cell: ({ tables }) =>
      tables
        .filter(({ has_failed }) => has_failed)
        .map(({ table }) => table)
        .join(', ') || 'None',
  },
];

/** What the nightly job removed from all schools. */
export default function AdminRetentionPage() {
  return (
    <OperatorLayout>
      <Nights />
    </OperatorLayout>
  );
}

function Nights() {
  const controls = useTableState(TABLE_DEFAULTS);
  const list = useQuery({ ...retentionRunsQuery(controls.tableState), placeholderData: keepPreviousData });
  return (
    <>
      <PageHeader title="Retention" lead="What the nightly job removed because its period was over, in all schools." />
      <DataTable
        label="Nights"
        columns={COLUMNS}
        rows={list.data?.nights}
        rowModel={ROW_MODEL}
        isStale={list.isPlaceholderData}
        controls={controls}
        total={list.data?.meta.total_filtered ?? 0}
        noun={['night', 'nights']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={<EmptyState title="The job has not run yet" />}
      />
    </>
  );
}
