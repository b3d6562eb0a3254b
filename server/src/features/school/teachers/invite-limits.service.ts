import { DAY_MS } from '../../../clock.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { formatWait } from '../../../http/rate-limit.ts';
import { countEvent } from '../../../logging/event-counts.ts';
import { findSubscription } from '../../billing/subscriptions/subscriptions.public.ts';
import { countInviteUse } from './invites.queries.ts';

/** Anyone can start a trial, so a trial must not be a way to email strangers in the product's name. */
const TRIAL_LIMITS = { open: 20, sentPerDay: 50 };
/** More than the staff of any school. */
const CUSTOMER_LIMITS = { open: Number.POSITIVE_INFINITY, sentPerDay: 500 };

/** Nothing but time or an answer frees an open invitation, so a client may ask again now and then. */
const OPEN_RETRY_S = 3600;

/** Why an email cannot be sent, and the seconds after which to try again. */
interface InviteLimit {
  text: string;
  retryAfter: number;
}

/** How many emails a school can still send. */
export interface InviteAllowance {
  /**
   * Takes one email from the allowance. Returns undefined, or why it cannot be sent.
   * @param isOpen whether the invite already counts as open
   */
  take(isOpen?: boolean): InviteLimit | undefined;
}

/** Locks the school, so that simultaneous requests share one allowance, and counts what is left of it. */
export async function lockInviteAllowance(db: SchoolDb, now: Date): Promise<InviteAllowance> {
  await lockSchool(db);
  const subscription = await findSubscription(db);
  const isCustomer = subscription !== undefined && !subscription.is_trial;
  const limits = isCustomer ? CUSTOMER_LIMITS : TRIAL_LIMITS;
  const use = await countInviteUse(db, new Date(now.getTime() - DAY_MS), limits.sentPerDay, now);
  let { open, sent } = use;
  // When one of the last emails that fill the limit is no longer of the last 24 hours.
  const endsAt = (use.oldest_at ?? now).getTime() + DAY_MS;
  return {
    take(isOpen = false) {
      if (sent >= limits.sentPerDay) {
        countEvent('invite_limit_day');
        const retryAfter = Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000));
        return {
          text: `Your school has sent ${limits.sentPerDay} invitations in 24 hours, which is the limit. Send this one in ${formatWait(retryAfter)}.`,
          retryAfter,
        };
      }
      if (!isOpen && open >= limits.open) {
        countEvent('invite_limit_open');
        return {
          text: `A school on the free trial can have ${limits.open} open invitations. Delete one, wait until one is accepted, or choose a package.`,
          retryAfter: OPEN_RETRY_S,
        };
      }
      sent += 1;
      if (!isOpen) open += 1;
      return undefined;
    },
  };
}
