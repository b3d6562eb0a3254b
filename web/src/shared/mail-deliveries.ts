import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/calls/access.ts';
import { mailDeliveryCalls } from '#contract/calls/mail-delivery.ts';
import type { ListedDelivery, MailDelivery } from '#contract/mail-delivery.ts';
import { apiQuery } from './api-query.ts';
import { can } from './can.ts';

/** Deliveries change in minutes, and a page shows them beside what the user came for. */
const STALE_AFTER_MS = 10 * 60_000;

/** The emails to the user's own address, to the contacts and about invoices. */
const mailDeliveriesQuery = (id: number) =>
  ({ ...apiQuery(mailDeliveryCalls.listMailDeliveries, { params: { id } }), staleTime: STALE_AFTER_MS }) as const;

/**
 * The same; empty while they load.
 * @param isWanted by default for those who can change an address of the school
 */
export function useMailDeliveries(user: User, isWanted?: boolean): readonly ListedDelivery[] {
  const canChange = can(user, 'edit_contacts') || can(user, 'manage_subscription');
  const enabled = user.enterprise_id !== null && (isWanted ?? canChange);
  return useQuery({ ...mailDeliveriesQuery(user.enterprise_id ?? 0), enabled }).data?.deliveries ?? [];
}

const isFailed = ({ state }: Pick<MailDelivery, 'state'>): boolean => state === 'rejected' || state === 'bounced';

/** An email that did not arrive, or none that will be sent. */
export const hasFailed = (delivery: ListedDelivery): boolean => isFailed(delivery) || delivery.is_blocked;

/** What became of an email, in a sentence; null while there is nothing to say. */
export function deliveryText({ state, reason }: Pick<MailDelivery, 'state' | 'reason'>): string | null {
  const words = reason ? `: “${reason}”` : '';
  if (isFailed({ state })) return `Email not delivered${words}`;
  if (state === 'queued') return reason ? `Email not delivered yet${words}. We keep trying for a day.` : null;
  return state === 'opened' ? 'Email arrived: its link was opened' : 'Email sent';
}

/** What the banner says about an address to which emails do not arrive, and where it is changed. */
export interface FailedAddress {
  delivery: ListedDelivery;
  advice: string;
  isOwn: boolean;
}

const ADVICE: Record<Exclude<ListedDelivery['about'], 'invoice'>, string> = {
  account: 'Change the email of your account',
  billing_contact: 'Change the billing contact',
  primary_contact: 'Change the primary contact',
};

/** The address that matters most of those to which emails do not arrive: the user's own first, then the billing contact's. */
export function findFailedAddress(deliveries: readonly ListedDelivery[]): FailedAddress | null {
  for (const about of ['account', 'billing_contact', 'primary_contact'] as const) {
    const delivery = deliveries.find((listed) => listed.about === about && hasFailed(listed));
    if (delivery) return { delivery, advice: ADVICE[about], isOwn: about === 'account' };
  }
  return null;
}
