import { expect, it } from 'vitest';
import { readTableState, tableQuery, type TableDefaults } from './table-url-state.ts';

const defaults: TableDefaults = {
  sort: { field: 'name', direction: 'asc' },
  sorts: ['name', 'date'],
  filters: ['groups'],
};
const read = (address: string, stored: unknown = null) =>
  readTableState(new URLSearchParams(address), stored, defaults);

it('readTableState reads page, rows, search, sort and filters from an address', () => {
  expect(read('page=3&per_page=25&search=ann&sort=-date&groups=3,5&other=1')).toEqual({
    page: 3,
    perPage: 25,
    search: 'ann',
    sort: { field: 'date', direction: 'desc' },
    filters: { groups: '3,5' },
  });
});

it('readTableState reads several values of a filter as a form without scripts writes them', () => {
  expect(read('groups=3&groups=&groups=none').filters).toEqual({ groups: '3,none' });
});

it('readTableState falls back to the defaults where the URL is empty or invalid', () => {
  const plain = { page: 1, perPage: 50, search: '', sort: { field: 'name', direction: 'asc' }, filters: {} };
  expect(read('')).toEqual(plain);
  expect(read('page=-1&per_page=7&sort=password', 'junk')).toEqual(plain);
});

it('readTableState prefers the rows per page of the URL to those that were chosen before', () => {
  expect(read('', 100).perPage).toBe(100);
  expect(read('per_page=25', 100).perPage).toBe(25);
});

it('tableQuery turns the state into the query of a paged call', () => {
  expect(tableQuery(read('page=2&search=%20ann%20&sort=-date&groups=none'))).toEqual({
    page: 2,
    per_page: 50,
    search: 'ann',
    groups: 'none',
    sort: { date: 'desc' },
  });
});
