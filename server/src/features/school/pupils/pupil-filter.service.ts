import type { pupilCalls } from '#contract/calls/pupils.ts';
import type { QueryOf } from '#contract/call.ts';
import { DAY_MS } from '../../../clock.ts';
import type { PupilFilter } from './pupils.queries.ts';

type FilterQuery = Pick<
  QueryOf<typeof pupilCalls.listPupils>,
  'search' | 'groups' | 'not_read_days' | 'not_read_since' | 'level' | 'tag'
>;

/** The earlier of two optional moments: pupils who have not read since then meet both filters. */
const earliest = (first: Date | undefined, second: Date | undefined): Date | undefined =>
  first && second ? new Date(Math.min(first.getTime(), second.getTime())) : (first ?? second);

/** Converts a query to the filter of pupils. */
export const toPupilFilter = (
  { search, groups: classes, not_read_days: days, not_read_since: moment, level, tag }: FilterQuery,
  now: Date,
): Pick<PupilFilter, 'search' | 'classes' | 'notReadSince' | 'level' | 'tag'> => ({
  search: search?.value ?? '',
  // Data tables send an empty parameter when no class is selected.
  classes: classes?.length ? classes : undefined,
  notReadSince: earliest(
    days === undefined ? undefined : new Date(now.getTime() - days * DAY_MS),
    moment === undefined ? undefined : new Date(moment),
  ),
  level,
  tag,
});
