import type { User } from '#contract/calls/access.ts';
import { otherSchools } from '../../../../shared/own-schools.ts';

/** Another school of the user that the search dialog leads to. No link can set the state of a navigation. */
export function wantedSchool(state: unknown, user: User): number | undefined {
  const { switchTo } = (state ?? {}) as { switchTo?: unknown };
  return otherSchools(user).find(({ enterprise: school }) => school.id === switchTo)?.enterprise.id;
}
