import { schoolAccess, type SubscriptionState } from '#contract/school-access.ts';
import { dayIn } from '../clock.ts';

/** What a school's access depends on. `invoice_due_on` is the due date of its open invoice. */
export interface SchoolState {
  subscription_ends_at: Date | null;
  invoice_due_on: string | null;
  is_closed: boolean;
}

/** The columns of a `SchoolState`, and the joins that they need, for a statement whose `$1` is the school. */
export const STATE_COLUMNS =
  'b.expires_at as subscription_ends_at, i.due_date as invoice_due_on, k.closed_at is not null as is_closed';
export const STATE_JOINS = `
  left join subscriptions b on b.school_id = $1 and b.ended_at is null
  left join invoices i on i.school_id = $1 and i.status = 'open'
  left join school_closings k on k.school_id = $1`;

/** The access of a school. Due dates are days in London: an invoice can be paid until the end of that day. */
export const accessOf = (
  { subscription_ends_at: end, invoice_due_on: due, is_closed: isClosed }: SchoolState,
  now: Date,
): SubscriptionState | 'closed' =>
  schoolAccess({
    isClosed,
    hasSubscription: end !== null,
    hasExpired: end !== null && end <= now,
    hasOutstandingInvoice: due !== null && due < dayIn('Europe/London', now),
  });
