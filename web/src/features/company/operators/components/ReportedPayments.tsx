import { Button } from '../../../../ui/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import type { BilledInvoice } from '#contract/calls/billing-console.ts';
import type { ReportedPayment } from '#contract/calls/payment-reports.ts';
import { paths } from '../../../../paths.ts';
import { formatDate, formatExactMoney } from '../../../../shared/format.ts';
import { type Column, DataTable, type RowModel } from '../../../../ui/DataTable.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { reportedPaymentsQuery } from '../billing-console.api.ts';

const ROW_MODEL: RowModel<ReportedPayment> = { key: ({ invoice }) => invoice.number };

/** Open invoices that schools reported as paid, to check against the bank account. Renders nothing without reports. */
export function ReportedPayments({ onChoose }: { onChoose: (invoice: BilledInvoice) => void }) {
  const { data, error, refetch } = useQuery(reportedPaymentsQuery());
  const columns = useMemo(() => columnsFor(onChoose), [onChoose]);
  if (error && !data)
    return (
      <section className="below-3xl" aria-labelledby="reported">
        <h2 id="reported">Reported as paid</h2>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </section>
    );
  if (!data || data.reports.length === 0) return null;
  return (
    <section className="below-3xl" aria-labelledby="reported">
      <h2 id="reported">Reported as paid</h2>
      <DataTable
        label="Reported as paid"
        columns={columns}
        rows={data.reports}
        rowModel={ROW_MODEL}
        noun={['report', 'reports']}
        empty="No reports"
      />
    </section>
  );
}

const columnsFor = (onChoose: (invoice: BilledInvoice) => void): Column<ReportedPayment>[] => [
  { id: 'number', header: 'Invoice', isOneLine: true, cell: ({ invoice }) => invoice.number },
  {
    id: 'school',
    header: 'School',
    cell: ({ invoice: { school } }) => <Link to={paths.adminSchool(school.id)}>{school.name}</Link>,
  },
  { id: 'reference', header: 'Reference', cell: ({ reference }) => reference },
  { id: 'at', header: 'Reported', isOneLine: true, cell: ({ reported_at }) => formatDate(reported_at) },
  {
    id: 'total',
    header: 'Total',
    align: 'end',
    isOneLine: true,
    cell: ({ invoice }) => formatExactMoney(invoice.total),
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: ({ invoice }) => (
      <Button
        variant="default"
        aria-label={`Settle ${invoice.number}, reported as paid`}
        onClick={() => onChoose(invoice)}
      >
        Settle
      </Button>
    ),
  },
];
