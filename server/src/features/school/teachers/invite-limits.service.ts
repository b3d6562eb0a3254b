import { DAY_MS } from '../../../clock.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { countEvent } from '../../../logging/event-counts.ts';
import { findSubscription } from '../../billing/subscriptions/subscriptions.public.ts';
import { countInviteUse } from './invites.queries.ts';

/** Anyone can start a trial, so a trial must not be a way to email strangers in the product's name. */
const TRIAL_LIMITS = { open: 20, sentPerDay: 50 };
/** More than the staff of any school. */
const CUSTOMER_LIMITS = { open: Number.POSITIVE_INFINITY, sentPerDay: 500 };

/** How many emails a school can still send. */
export interface InviteAllowance {
  /**
   * Takes one email from the allowance. Returns undefined, or the reason why it cannot be sent.
   * @param isOpen whether the invite already counts as open
   */
  take(isOpen?: boolean): string | undefined;
}

/** Locks the school, so that simultaneous requests share one allowance, and counts what is left of it. */
export async function lockInviteAllowance(db: SchoolDb, now: Date): Promise<InviteAllowance> {
  await lockSchool(db);
  const subscription = await findSubscription(db);
  const isCustomer = subscription !== undefined && !subscription.is_trial;
  const limits = isCustomer ? CUSTOMER_LIMITS : TRIAL_LIMITS;
  let { open, sent } = await countInviteUse(db, new Date(now.getTime() - DAY_MS), now);
  return {
    take(isOpen = false) {
      if (sent >= limits.sentPerDay) {
        countEvent('invite_limit_day');
        return `Your school has sent ${limits.sentPerDay} invitations in 24 hours, which is the limit. Send this one tomorrow.`;
      }
      if (!isOpen && open >= limits.open) {
        countEvent('invite_limit_open');
        return `A school on the free trial can have ${limits.open} open invitations. Delete one, wait until one is accepted, or choose a package.`;
      }
      sent += 1;
      if (!isOpen) open += 1;
      return undefined;
    },
  };
}
