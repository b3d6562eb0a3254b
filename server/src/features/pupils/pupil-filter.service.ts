import type { pupilCalls } from '#contract/calls/pupils.ts';
import type { QueryOf } from '#contract/call.ts';
import { DAY_MS } from '../../clock.ts';
import type { PupilFilter } from './pupils.queries.ts';

type Asked = Pick<
  QueryOf<typeof pupilCalls.listPupils>,
  'search' | 'groups' | 'not_read_days' | 'not_read_since' | 'level'
>;

/** Of two moments since which nobody may have read, the one that says both. */
const earliest = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? new Date(Math.min(one.getTime(), other.getTime())) : (one ?? other);

/** Which pupils a request asks for. */
export const filterOf = (
  { search, groups: classes, not_read_days: days, not_read_since: moment, level }: Asked,
  now: Date,
): Pick<PupilFilter, 'search' | 'classes' | 'notReadSince' | 'level'> => ({
  search: search?.value ?? '',
  // Tables send the parameter empty when nobody has chosen a class.
  classes: classes?.length ? classes : undefined,
  notReadSince: earliest(
    days === undefined ? undefined : new Date(now.getTime() - days * DAY_MS),
    moment === undefined ? undefined : new Date(moment),
  ),
  level,
});
