import { parseId } from '../../../shared/parse-id.ts';
import type { TableDefaults } from '../../../ui/table-url-state.ts';

/** How the pupils list is sorted and filtered. The page and the requests that start before it agree on it. */
export const pupilTable: TableDefaults = {
  sort: { field: 'name', direction: 'asc' },
  sorts: ['name', 'username', 'group', 'last_read_at'],
  filters: ['groups', 'not_read_days', 'level'],
};

/** Stands for pupils without a class in `groups`. */
export const WITHOUT_CLASS = 'none';

/** `3,none` as its parts; whatever is no class is left out, so that a mistyped address still shows pupils. */
export const classesInAddress = (parameter: string | undefined): string[] =>
  (parameter ?? '').split(',').filter((part) => part === WITHOUT_CLASS || parseId(part) !== undefined);

/** Days without reading to choose from. */
export const NOT_READ_DAYS = ['7', '14', '30'] as const;
export const LEVELS = ['1', '2', '3', '4', '5', '6'] as const;

const oneOf = (allowed: readonly string[], value: string | undefined) =>
  value !== undefined && allowed.includes(value) ? value : undefined;

/** The filters of an address as the list's call takes them; whatever the call would refuse is left out. */
export function filtersInAddress({
  groups: classes,
  not_read_days,
  level,
}: Readonly<Record<string, string>>): Record<string, string> {
  const classIds = classesInAddress(classes);
  const days = oneOf(NOT_READ_DAYS, not_read_days);
  const chosenLevel = oneOf(LEVELS, level);
  return {
    ...(classIds.length > 0 && { groups: classIds.join(',') }),
    ...(days && { not_read_days: days }),
    ...(chosenLevel && { level: chosenLevel }),
  };
}
