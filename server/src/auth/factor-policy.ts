import type { Role } from '#contract/permissions.ts';
import { dayIn } from '../clock.ts';

/** When staff need a second factor, in the school's time zone. Null where it is optional. */
export interface FactorPolicy {
  admins_factor_from: string | null;
  teachers_factor_from: string | null;
  time_zone: string;
}

/**
 * The day from which this role needs a second factor; null where it is optional. A supply teacher needs none: the school
 * hands them the card with their code.
 */
export function factorDayOf(role: Role, policy: Omit<FactorPolicy, 'time_zone'>): string | null {
  if (role === 'supply_teacher') return null;
  return role === 'admin' ? policy.admins_factor_from : policy.teachers_factor_from;
}

/** Returns whether this role needs a second factor by now. */
export function needsFactor(role: Role, policy: FactorPolicy, now: Date): boolean {
  const from = factorDayOf(role, policy);
  return from !== null && from <= dayIn(policy.time_zone, now);
}
