import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/calls/access.ts';
import { mailDeliveryCalls } from '#contract/calls/mail-delivery.ts';
import type { ListedDelivery, MailDelivery } from '#contract/mail-delivery.ts';
import { apiQuery } from './api-query.ts';
import type { FirstQueries } from './first-queries.ts';
import { can } from './can.ts';

const mailDeliveriesQuery = (id: number) => apiQuery(mailDeliveryCalls.listMailDeliveries, { params: { id } });

/** The emails to the user, for the screen of their account. */
export const ownDeliveriesQueries: FirstQueries = ({ schoolId }) => [mailDeliveriesQuery(schoolId)];

/** The emails to the user, to the contacts and about invoices, for those who can change an address of the school. */
export const mailDeliveriesQueries: FirstQueries = (visit) =>
  can(visit.user, 'edit_contacts') || can(visit.user, 'manage_subscription') ? ownDeliveriesQueries(visit) : [];

/** What the first queries of a screen have found. The banner above every screen shows it from then on, and asks for nothing. */
export function useMailDeliveries({ enterprise_id: schoolId }: User): readonly ListedDelivery[] {
  return useQuery({ ...mailDeliveriesQuery(schoolId ?? 0), enabled: false }).data?.deliveries ?? [];
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
