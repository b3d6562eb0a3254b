import type { Membership, User } from '#contract/calls/access.ts';

/** The user's schools besides the current one. None for support, which works in one school only. */
export const otherSchools = ({ memberships, enterprise_id: schoolId, impersonated_by: operator }: User): Membership[] =>
  schoolId === null || operator ? [] : memberships.filter(({ enterprise: school }) => school.id !== schoolId);
