import type { Invoice } from '#contract/calls/billing.ts';
import { formatExactMoney, formatDate } from '../../../../shared/format.ts';
import { DataTable, type Column, ROWS_BY_ID } from '../../../../ui/DataTable.tsx';
import { EmptyState } from '../../../../ui/EmptyState.tsx';
import { InvoiceStatus } from './InvoiceStatus.tsx';
import css from './Invoice.module.css';

const COLUMNS: Column<Invoice>[] = [
  {
    id: 'number',
    header: 'Invoice',
    cell: ({ number, hosted_invoice_url: url }) => <a href={new URL(url).pathname}>{number}</a>,
  },
  { id: 'issued', header: 'Issued', isOneLine: true, cell: ({ issued_at }) => formatDate(issued_at) },
  { id: 'due', header: 'Due', isOneLine: true, cell: ({ due_date }) => formatDate(due_date) },
  { id: 'status', header: 'Status', isOneLine: true, cell: ({ status }) => <InvoiceStatus status={status} /> },
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
export const InvoicesTable = ({ invoices }: { invoices: readonly Invoice[] }) => (
  <DataTable
    label="Invoices"
    columns={COLUMNS}
    rows={invoices}
    rowModel={ROWS_BY_ID}
    noun={['invoice', 'invoices']}
    empty={<EmptyState title="No invoices yet">You get an invoice when you choose a package.</EmptyState>}
  />
);
