import { Button } from '../../../../ui/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import type { UnmatchedPayment } from '#contract/calls/unmatched-payments.ts';
import { paths } from '../../../../paths.ts';
import { formatAmount, formatDate } from '../../../../shared/format.ts';
import { type Column, DataTable, type RowModel } from '../../../../ui/DataTable.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { unmatchedPaymentsQuery, useReconcilePayment } from '../billing-console.api.ts';

const ROW_MODEL: RowModel<UnmatchedPayment> = { key: ({ session_id }) => session_id };

const REASONS: Record<UnmatchedPayment['reason'], string> = {
  amount_differs: 'Wrong amount or currency',
  surplus: 'Already paid or credited',
  unknown_invoice: 'Unknown invoice',
};

/** Card payments that settled no invoice, for an operator to refund or assign. Renders nothing without payments. */
export function UnmatchedPayments() {
  const { data, error, refetch } = useQuery(unmatchedPaymentsQuery());
  const { mutate, error: failure } = useReconcilePayment();
  const columns = useMemo(
    () =>
      columnsFor(({ session_id, invoice_number }) =>
        mutate(session_id, { onSuccess: () => showToast(`The payment for ${invoice_number} is reconciled`) }),
      ),
    [mutate],
  );
  if (error && !data)
    return (
      <section className="below-3xl" aria-labelledby="unmatched">
        <h2 id="unmatched">Payments to reconcile</h2>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </section>
    );
  if (!failure && (!data || data.payments.length === 0)) return null;
  return (
    <section className="below-3xl" aria-labelledby="unmatched">
      <h2 id="unmatched">Payments to reconcile</h2>
      <p>
        Find each payment by its reference in Stripe. Refund it or correct the invoice, then select Reconcile to remove
        it from this list.
      </p>
      {failure && <ErrorNotice error={failure} />}
      <DataTable
        label="Payments to reconcile"
        columns={columns}
        rows={data?.payments}
        rowModel={ROW_MODEL}
        noun={['payment', 'payments']}
        empty="No payments to reconcile"
      />
    </section>
  );
}

const columnsFor = (onReconcile: (payment: UnmatchedPayment) => void): Column<UnmatchedPayment>[] => [
  { id: 'number', header: 'Invoice', isOneLine: true, cell: ({ invoice_number }) => invoice_number },
  {
    id: 'school',
    header: 'School',
    cell: ({ school }) => (school ? <Link to={paths.adminSchool(school.id)}>{school.name}</Link> : '–'),
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ reason, reference }) => (
      <span>
        {REASONS[reason]}
        <span className="soft block">{reference}</span>
      </span>
    ),
  },
  {
    id: 'received',
    header: 'Received',
    align: 'end',
    isOneLine: true,
    cell: ({ amount, currency, received_at }) => (
      <span>
        {formatAmount(amount, currency)}
        <span className="soft block">{formatDate(received_at)}</span>
      </span>
    ),
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (payment) => (
      <Button
        variant="default"
        aria-label={`Reconcile ${payment.invoice_number}, ${payment.reference}`}
        onClick={() => onReconcile(payment)}
      >
        Reconcile
      </Button>
    ),
  },
];
