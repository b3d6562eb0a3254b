import type { TableDefaults } from '../../../ui/table-address.ts';

/** What the address of the pupils list may carry. The page's first request is built from the same words. */
export const PUPILS_TABLE: TableDefaults = {
  sort: { field: 'name', direction: 'asc' },
  sorts: ['name', 'username', 'group', 'last_read_at'],
  filters: ['groups'],
};

/** Stands for pupils without a class in `groups`. */
export const WITHOUT_CLASS = 'none';

/** `3,none` as its parts; whatever is no class is left out, so that a mistyped address still shows pupils. */
export const readGroups = (groups: string | undefined): string[] => (groups ?? '').split(',').filter((part) => part === WITHOUT_CLASS || /^[1-9]\d{0,14}$/.test(part));
