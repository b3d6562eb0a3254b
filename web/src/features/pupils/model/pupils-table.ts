import { mondayOf } from '#contract/school-calendar.ts';
import { LEVELS } from '#contract/limits.ts';
import { can, type Member } from '../../../shared/can.ts';
import { ALL_CLASSES } from '../../../shared/own-classes.ts';
import { parseId } from '../../../shared/parse-id.ts';
import { momentsOf, today } from '../../../shared/school-day.ts';
import type { TableDefaults, TableState } from '../../../ui/table-url-state.ts';

/** How the pupils list is sorted and filtered. The page and the requests that start before it agree on it. */
export const pupilTable: TableDefaults = {
  sort: { field: 'name', direction: 'asc' },
  sorts: ['name', 'username', 'group', 'last_read_at'],
  filters: ['groups', 'not_read_days', 'level'],
};

/** Stands for pupils without a class in `groups`. */
export const WITHOUT_CLASS = 'none';

/** `3,none` as its parts; whatever is no class is left out, so that a mistyped address still shows pupils. */
export const classesInUrl = (parameter: string | undefined): string[] =>
  (parameter ?? '').split(',').filter((part) => part === WITHOUT_CLASS || parseId(part) !== undefined);

/** Days without reading to choose from; `week` are those since Monday. */
export const THIS_WEEK = 'week';
export const NOT_READ_DAYS = ['7', '14', '30'] as const;

const oneOf = (allowed: readonly string[], value: string | undefined) =>
  value !== undefined && allowed.includes(value) ? value : undefined;

/** True where a URL without classes shows a teacher's own; an administrator sees all. */
export const isOwnByDefault = (classes: string | undefined, user: Member) =>
  !can(user, 'see_all_classes') && classes !== ALL_CLASSES && classesInUrl(classes).length === 0;

/** The state of an address as the list's call takes it; whatever the call would refuse is left out. */
export function stateToAsk(tableState: TableState, user: Member): TableState {
  const { groups: classes, not_read_days, level } = tableState.filters;
  const classIds = isOwnByDefault(classes, user) ? ['mine'] : classesInUrl(classes);
  const days = oneOf(NOT_READ_DAYS, not_read_days);
  const chosenLevel = oneOf(LEVELS.map(String), level);
  return {
    ...tableState,
    filters: {
      ...(classIds.length > 0 && { groups: classIds.join(',') }),
      ...(days && { not_read_days: days }),
      ...(not_read_days === THIS_WEEK && { not_read_since: beginOfWeek() }),
      ...(chosenLevel && { level: chosenLevel }),
    },
  };
}

/** The moment at which this week began. */
function beginOfWeek(): string {
  const monday = mondayOf(today());
  return momentsOf({ from: monday, to: monday }).start;
}
