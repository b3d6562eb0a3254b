import { Button } from '../../../ui/Button.tsx';
import { NativeSelect } from '../../../ui/Field.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from '../../../ui/Link.tsx';
import { useSearchParams } from '../../../shared/router.ts';
import { type BilledInvoice, INVOICE_FILTERS } from '#contract/calls/billing-console.ts';
import { paths } from '../../../paths.ts';
import { formatExactMoney, formatDate } from '../../../shared/format.ts';
import { DataTable, type Column, type RowModel } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import type { TableDefaults } from '../../../ui/table-url-state.ts';
import { Toolbar } from '../../../ui/Toolbar.tsx';
import { useTableState } from '../../../ui/use-table-state.ts';
import { billedInvoicesQuery, type InvoiceFilter } from './billing-console.api.ts';
import { InvoiceActionDialog } from './components/InvoiceActionDialog.tsx';
import { OperatorLayout } from './components/OperatorLayout.tsx';
import { ReportedPayments } from './components/ReportedPayments.tsx';
import { UnmatchedPayments } from './components/UnmatchedPayments.tsx';

/** The server sorts by filter. */
const TABLE_DEFAULTS: TableDefaults = { sorts: [] };
const ROW_MODEL: RowModel<BilledInvoice> = { key: ({ number }) => number };

const FILTERS: Record<InvoiceFilter, string> = {
  due: 'Due',
  overdue: 'Overdue',
  open: 'Unpaid',
  paid: 'Paid',
  uncollectible: 'Uncollectible',
  credited: 'Credited',
  all: 'All',
};

/** Invoices of all schools, which an operator can settle. */
export default function AdminInvoicesPage() {
  return (
    <OperatorLayout>
      <Invoices />
    </OperatorLayout>
  );
}

function Invoices() {
  const controls = useTableState(TABLE_DEFAULTS);
  const [query] = useSearchParams();
  const status = INVOICE_FILTERS.find((filter) => filter === query.get('status')) ?? 'due';
  const list = useQuery({ ...billedInvoicesQuery(status, controls.tableState), placeholderData: keepPreviousData });
  const [chosen, setChosen] = useState<BilledInvoice | null>(null);
  const columns = useMemo(() => columnsOf(setChosen), []);
  return (
    <>
      <PageHeader
        title="Invoices"
        lead={list.data && `${FILTERS[status]}: ${formatExactMoney(list.data.total)} with VAT`}
      />
      <UnmatchedPayments />
      <ReportedPayments onChoose={setChosen} />
      <Toolbar>
        <NativeSelect
          label="Show"
          value={status}
          data={INVOICE_FILTERS.map((value) => ({ value, label: FILTERS[value] }))}
          onChange={(event) => controls.setFilter('status', event.currentTarget.value)}
        />
      </Toolbar>
      <DataTable
        label="Invoices"
        columns={columns}
        rows={list.data?.invoices}
        rowModel={ROW_MODEL}
        isStale={list.isPlaceholderData}
        controls={controls}
        total={list.data?.meta.total_filtered ?? 0}
        noun={['invoice', 'invoices']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={<EmptyState title="No matching invoices" />}
      />
      <InvoiceActionDialog invoice={chosen} onClose={() => setChosen(null)} />
    </>
  );
}

function statusText({ status, is_overdue, paid_on }: BilledInvoice): string {
  if (status === 'open') return is_overdue ? 'overdue' : 'unpaid';
  return status === 'paid' && paid_on ? `paid ${formatDate(paid_on)}` : status;
}

const columnsOf = (onChoose: (invoice: BilledInvoice) => void): Column<BilledInvoice>[] => [
  {
    id: 'number',
    header: 'Invoice',
    isOneLine: true,
    cell: ({ number, hosted_invoice_url: url }) => <a href={new URL(url).pathname}>{number}</a>,
  },
  {
    id: 'school',
    header: 'School',
    cell: ({ school }) => <Link to={paths.adminSchool(school.id)}>{school.name}</Link>,
  },
  { id: 'due', header: 'Due', isOneLine: true, cell: ({ due_date }) => formatDate(due_date) },
  {
    id: 'status',
    header: 'Status',
    isOneLine: true,
    cell: statusText,
  },
  {
    id: 'total',
    header: 'Total',
    align: 'end',
    isOneLine: true,
    cell: ({ total }) => formatExactMoney(total),
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (invoice) => {
      if (invoice.status === 'credited') return null;
      const action = invoice.status === 'paid' ? 'Credit' : 'Settle';
      return (
        <Button variant="default" aria-label={`${action} ${invoice.number}`} onClick={() => onChoose(invoice)}>
          {action}
        </Button>
      );
    },
  },
];
