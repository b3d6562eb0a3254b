import type { Role } from '#contract/permissions.ts';

/** How the staff of a school may log in. */
export interface ProviderPolicy {
  is_provider_only: boolean;
}

/**
 * Returns whether a session must begin at a provider before it opens anything of the school. An admin can always log in
 * with a password, because the school has no other way back when its provider fails; a supply teacher has a code.
 */
export const needsProvider = (role: Role, { is_provider_only }: ProviderPolicy): boolean =>
  is_provider_only && role !== 'admin' && role !== 'supply_teacher';
