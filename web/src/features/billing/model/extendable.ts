import type { Subscription } from '#contract/calls/billing.ts';

/** True for a package that a school can extend by itself, near its end: no trial, and none that was made for it. */
export const isExtendable = ({
  is_trial,
  payment_provider,
  package_id,
}: Pick<Subscription, 'is_trial' | 'payment_provider' | 'package_id'>): boolean =>
  !is_trial && payment_provider !== 'manual' && package_id !== null;
