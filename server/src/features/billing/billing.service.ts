import { DAY_MS } from '../../clock.ts';
import type { School } from '#contract/calls/school.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '../../database/tables.ts';

type Subscription = NonNullable<School['subscription']>;
type Invoices = NonNullable<School['invoices']>;
type Invoice = Invoices['data'][number];

/** Days before its end from which a subscription is called near it, and can be extended. */
const NEARING_END = 60;

const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });
/** The calendar day on the clock in London, as days since 1970. */
const dayOf = (date: Date): number => Date.parse(calendar.format(date)) / DAY_MS;

/** A subscription as the wire shows it. */
export function toSubscription(row: Selectable<Tables['subscriptions']>, now: Date): Subscription {
  const left = row.expires_at.getTime() - now.getTime();
  const days = Math.max(0, dayOf(row.expires_at) - dayOf(now));
  return {
    id: row.id,
    is_trial: row.is_trial,
    has_expired: left <= 0,
    expires_at: row.expires_at.toISOString(),
    billing_period_end: row.expires_at.toISOString(),
    payment_provider: row.payment_provider,
    payment_provider_subscription_id: row.payment_provider_subscription_id,
    payment_amount: row.payment_amount_pence,
    renewal_duration_unit: row.renewal_duration_unit,
    renewal_status: row.renewal_status,
    max_readers: row.max_readers,
    meta: { is_nearing_end: days <= NEARING_END, num_of_days_before_end: days },
  };
}

/** An invoice as the wire shows it; its URLs open for whoever holds them. */
export const toInvoice = (row: Selectable<Tables['invoices']>, publicUrl: string): Invoice => ({
  id: row.id,
  number: row.number,
  issued_at: row.issued_at.toISOString(),
  due_date: row.due_date,
  status: row.status,
  currency: row.currency,
  subtotal: row.subtotal_pence,
  vat: row.vat_pence,
  total: row.total_pence,
  po_number: row.po_number,
  invoice_pdf: `${publicUrl}/v1/invoices/${row.token}.pdf`,
  hosted_invoice_url: `${publicUrl}/invoices/${row.token}`,
});

/** Which invoice is open, and which open one is past its due date. */
export function toInvoicesMeta(invoices: readonly Invoice[], now: Date): Invoices['meta'] {
  const open = invoices.find(({ status }) => status === 'open') ?? null;
  const outstanding = open && open.due_date < now.toISOString().slice(0, 10) ? open : null;
  return {
    has_open_invoice: open !== null,
    has_outstanding_invoice: outstanding !== null,
    open_invoice: open,
    outstanding_invoice: outstanding,
  };
}
