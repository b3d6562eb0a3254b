import type { Membership, User } from '#contract/calls/access.ts';

/** The user's schools besides the current one. None for support, which works in one school only. */
export const otherSchools = ({ memberships, enterprise_id, impersonated_by }: User): Membership[] =>
  enterprise_id === null || impersonated_by
    ? []
    : memberships.filter(({ enterprise }) => enterprise.id !== enterprise_id);
