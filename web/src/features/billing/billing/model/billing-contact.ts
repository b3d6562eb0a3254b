import type { Contact } from '#contract/calls/contacts.ts';
import type { School } from '#contract/calls/school.ts';

/** The contact that gets invoices: the billing contact or, without one, the primary one. */
export const billingContactOf = ({ contacts }: Pick<School, 'contacts'>): Contact | undefined =>
  contacts.find(({ type }) => type === 'billing') ?? contacts.find(({ type }) => type === 'primary');
