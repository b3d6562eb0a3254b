import { parseId } from '../../../shared/parse-id.ts';
import type { TableDefaults } from '../../../ui/table-url-state.ts';

/** How the pupils list is sorted and filtered. The page and the requests that start before it agree on it. */
export const pupilTable: TableDefaults = {
  sort: { field: 'name', direction: 'asc' },
  sorts: ['name', 'username', 'group', 'last_read_at'],
  filters: ['groups'],
};

/** Stands for pupils without a class in `groups`. */
export const WITHOUT_CLASS = 'none';

/** `3,none` as its parts; whatever is no class is left out, so that a mistyped address still shows pupils. */
export const classesInAddress = (parameter: string | undefined): string[] =>
  (parameter ?? '').split(',').filter((part) => part === WITHOUT_CLASS || parseId(part) !== undefined);
