import { schoolAccess, type SubscriptionState } from '#contract/school-access.ts';
import { dayIn } from '../clock.ts';

/** What a school's access depends on. `invoice_locks_on` is the day from which its open invoice locks it. */
export interface SchoolState {
  subscription_ends_at: Date | null;
  invoice_locks_on: string | null;
  is_closed: boolean;
}

/** The columns of a `SchoolState`, and the joins that they need, for a statement whose `$1` is the school. */
export const STATE_COLUMNS =
  'b.expires_at as subscription_ends_at, i.locks_on as invoice_locks_on, k.closed_at is not null as is_closed';
export const STATE_JOINS = `
  left join subscriptions b on b.school_id = $1 and b.ended_at is null
  left join invoices i on i.school_id = $1 and i.status = 'open'
  left join school_closings k on k.school_id = $1`;

/** The access of a school. Days are days in London: an invoice locks the school from the beginning of its day. */
export const accessOf = (
  { subscription_ends_at: end, invoice_locks_on: locksOn, is_closed: isClosed }: SchoolState,
  now: Date,
): SubscriptionState | 'closed' =>
  schoolAccess({
    isClosed,
    hasSubscription: end !== null,
    hasExpired: end !== null && end <= now,
    hasOutstandingInvoice: locksOn !== null && locksOn <= dayIn('Europe/London', now),
  });
