import type { TableDefaults } from '../../ui/table-address.ts';

/** How the pupils list is sorted and filtered. The page and the requests that start before it agree on it. */
export const pupilTable: TableDefaults = {
  sort: { field: 'name', direction: 'asc' },
  sorts: ['name', 'username', 'group', 'last_read_at'],
  filters: ['groups'],
};
