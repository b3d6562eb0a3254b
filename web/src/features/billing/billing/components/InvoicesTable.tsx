import { useMemo } from 'react';
import type { Invoice } from '#contract/calls/billing.ts';
import type { ListedDelivery } from '#contract/mail-delivery.ts';
import { useMailDeliveries } from '../../../../shared/mail-deliveries.ts';
import { DeliveryLine } from '../../../../ui/DeliveryLine.tsx';
import { useUser } from '../../../../shared/session.ts';
import { formatExactMoney, formatDate } from '../../../../shared/format.ts';
import { DataTable, type Column, ROWS_BY_ID } from '../../../../ui/DataTable.tsx';
import { EmptyState } from '../../../../ui/EmptyState.tsx';
import { InvoiceStatus } from './InvoiceStatus.tsx';
import css from './Invoice.module.css';

/** @param deliveries the latest email about each invoice, by its number */
const columnsWith = (deliveries: ReadonlyMap<string, ListedDelivery>): Column<Invoice>[] => [
  {
    id: 'number',
    header: 'Invoice',
    cell: ({ number, hosted_invoice_url: url }) => <a href={new URL(url).pathname}>{number}</a>,
  },
  { id: 'issued', header: 'Issued', isOneLine: true, cell: ({ issued_at }) => formatDate(issued_at) },
  { id: 'due', header: 'Due', isOneLine: true, cell: ({ due_date }) => formatDate(due_date) },
  {
    id: 'status',
    header: 'Status',
    cell: ({ number, status }) => (
      <>
        <InvoiceStatus status={status} />
        {status === 'open' && <DeliveryLine delivery={deliveries.get(number)} advice="Change the billing contact." />}
      </>
    ),
  },
  {
    id: 'total',
    header: 'Total with VAT',
    isOneLine: true,
    align: 'end',
    cell: ({ total }) => formatExactMoney(total),
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: ({ number, status, invoice_pdf, hosted_invoice_url: url }) => (
      <span className={css.actions}>
        {status === 'open' && (
          <a href={new URL(url).pathname} aria-label={`Pay invoice ${number}`}>
            Pay Now
          </a>
        )}
        <a href={new URL(invoice_pdf).pathname} aria-label={`Download invoice ${number} as a PDF`}>
          Download
        </a>
      </span>
    ),
  },
];

/** The school's invoices, the newest first. */
export function InvoicesTable({ invoices }: { invoices: readonly Invoice[] }) {
  const deliveries = useMailDeliveries(useUser());
  const columns = useMemo(
    () => columnsWith(new Map(deliveries.map((delivery) => [delivery.invoice_number ?? '', delivery]))),
    [deliveries],
  );
  return (
    <DataTable
      label="Invoices"
      columns={columns}
      rows={invoices}
      rowModel={ROWS_BY_ID}
      noun={['invoice', 'invoices']}
      empty={<EmptyState title="No invoices yet">You get an invoice when you choose a package.</EmptyState>}
    />
  );
}
