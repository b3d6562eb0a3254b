import type { Subscription } from '#contract/calls/billing.ts';

/** True for a package that a school can extend near its end: neither a trial nor a custom package. */
export const isExtendable = ({
  is_trial,
  payment_provider,
  package_id,
}: Pick<Subscription, 'is_trial' | 'payment_provider' | 'package_id'>): boolean =>
  !is_trial && payment_provider !== 'manual' && package_id !== null;

/** True in the last 60 days of a paid subscription, when a period can be added. */
export const isRenewalDue = ({ is_trial, meta }: Pick<Subscription, 'is_trial' | 'meta'>): boolean =>
  meta.is_nearing_end && !is_trial;
