import { NativeSelect } from '../../../ui/Field.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '../../../ui/Link.tsx';
import { useSearchParams } from '../../../shared/router.ts';
import type { ReplyOf } from '#contract/call.ts';
import { type billingConsoleCalls, SCHOOL_STATES, type SchoolBillingState } from '#contract/calls/billing-console.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import { paths } from '../../../paths.ts';
import { formatDate, formatNumber } from '../../../shared/format.ts';
import { DataTable, type Column, ROWS_BY_ID } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import type { TableDefaults } from '../../../ui/table-url-state.ts';
import { Toolbar } from '../../../ui/Toolbar.tsx';
import { useTableState } from '../../../ui/use-table-state.ts';
import { schoolStatesQuery } from './billing-console.api.ts';
import { OperatorLayout } from './components/OperatorLayout.tsx';

type School = ReplyOf<typeof billingConsoleCalls.listSchoolStates>['schools'][number];

const TABLE_DEFAULTS: TableDefaults = { sorts: [] };

const STATES: Record<SchoolBillingState, string> = {
  open: 'Subscribed',
  trial: 'On trial',
  expired: 'Expired',
  locked: 'Locked',
  none: 'No subscription',
};

const COLUMNS: Column<School>[] = [
  { id: 'name', header: 'School', cell: ({ id, name }) => <Link to={paths.adminSchool(id)}>{name}</Link> },
  { id: 'package', header: 'Package', cell: ({ title }) => title || '–' },
  {
    id: 'places',
    header: 'Places',
    align: 'end',
    cell: ({ max_readers: places }) => (places === null ? '–' : places >= UNLIMITED_READERS ? 'unlimited' : places),
  },
  {
    id: 'until',
    header: 'Until',
    isOneLine: true,
    cell: ({ expires_at }) => (expires_at ? formatDate(expires_at) : '–'),
  },
];

/** Schools by the state of their subscription, the earliest end first. */
export default function AdminSubscriptionsPage() {
  return (
    <OperatorLayout>
      <Schools />
    </OperatorLayout>
  );
}

function Schools() {
  const controls = useTableState(TABLE_DEFAULTS);
  const [query] = useSearchParams();
  const state = SCHOOL_STATES.find((known) => known === query.get('state')) ?? 'open';
  const list = useQuery({ ...schoolStatesQuery(state, controls.tableState), placeholderData: keepPreviousData });
  const counts = list.data?.counts;
  return (
    <>
      <PageHeader title="Subscriptions" />
      <Toolbar>
        <NativeSelect
          label="Schools that are"
          value={state}
          data={SCHOOL_STATES.map((value) => ({
            value,
            label: counts ? `${STATES[value]} (${formatNumber(counts[value])})` : STATES[value],
          }))}
          onChange={(event) => controls.setFilter('state', event.currentTarget.value)}
        />
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
        empty={<EmptyState title="No schools in this state" />}
      />
    </>
  );
}
