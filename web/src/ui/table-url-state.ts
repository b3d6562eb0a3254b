import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '#contract/limits.ts';
import { getPreference } from '../shared/preferences.ts';

export interface TableSort {
  field: string;
  direction: 'asc' | 'desc';
}

/** The state of a table. `filters` are further parameters by their names. */
export interface TableState {
  page: number;
  perPage: number;
  search: string;
  sort: TableSort | null;
  filters: Readonly<Record<string, string>>;
}

export interface TableDefaults {
  sort?: TableSort;
  /** What that order is called, where no column has it. */
  sortName?: string;
  /** Fields to sort by. Others in a URL are ignored. */
  sorts?: readonly string[];
  /** Names of further parameters, in the order in which the call gets them. */
  filters?: readonly string[];
}

/** The sort as a URL parameter: `name`, or `-name` for descending. */
export const sortParameter = ({ field, direction }: TableSort): string => (direction === 'desc' ? '-' : '') + field;

/** The sort of such a parameter; null for none. */
export const sortOf = (parameter: string): TableSort | null => {
  const field = parameter.replace(/^-/, '');
  return field ? { field, direction: parameter.startsWith('-') ? 'desc' : 'asc' } : null;
};

const isRows = (value: unknown): value is number => (PAGE_SIZES as readonly unknown[]).includes(value);

/** Reads the state of a table from the URL: `?page=2&per_page=25&search=ann&sort=-name`. */
export function readTableState(query: URLSearchParams, storedRows: unknown, defaults: TableDefaults = {}): TableState {
  const page = Number(query.get('page'));
  const rows = Number(query.get('per_page'));
  const sort = sortOf(query.get('sort') ?? '');
  const names = defaults.filters ?? [];
  return {
    page: Number.isSafeInteger(page) && page > 0 ? Math.min(page, 9_999_999) : 1,
    perPage: isRows(rows) ? rows : isRows(storedRows) ? storedRows : DEFAULT_PAGE_SIZE,
    search: (query.get('search') ?? '').slice(0, 191),
    sort: sort && (defaults.sorts?.includes(sort.field) ?? true) ? sort : (defaults.sort ?? null),
    // A form without scripts repeats the parameter for each value.
    filters: Object.fromEntries(
      names.map((name) => [name, query.getAll(name).filter(Boolean).join(',')]).filter(([, value]) => value),
    ),
  };
}

/** The same, with the rows per page stored in this browser. */
export const visitTableState = (query: URLSearchParams, defaults?: TableDefaults): TableState =>
  readTableState(query, getPreference('rows'), defaults);

/** The state as the query of a paged call, always in the same order, so that equal states have equal URLs. */
export const tableQuery = ({ page, perPage, search, sort, filters }: TableState) => ({
  page,
  per_page: perPage,
  ...(search.trim() && { search: search.trim() }),
  ...filters,
  ...(sort && { sort: { [sort.field]: sort.direction } }),
});
