import { useDebouncedCallback } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams, type To } from 'react-router';
import { getPreference, setPreference } from '../shared/preferences.ts';
import { withParameters } from '../shared/with-parameters.ts';
import {
  DEFAULT_ROWS,
  readTableState,
  sortParameter,
  type TableDefaults,
  type TableState,
  type TableSort,
} from './table-url-state.ts';

const SEARCH_DEBOUNCE_MS = 500;

export interface TableControls {
  tableState: TableState;
  /** An order that no column has, with its name. */
  namedSort?: { sort: TableSort; name: string } | undefined;
  /** What stands in the search box now; `tableState.search` follows when the typing rests. */
  searchTyped: string;
  setSearch: (text: string) => void;
  /** Searches for what is typed without waiting for more. */
  submitSearch: () => void;
  setPage: (page: number) => void;
  setPerPage: (rows: number) => void;
  setSort: (sort: TableSort) => void;
  /** Sets one of the further parameters, or clears it with an empty text. */
  setFilter: (name: string, value: string) => void;
  /** Addresses of this table, for links. */
  toPage: (page: number) => To;
  toSort: (sort: TableSort) => To;
}

/** The page, sorting, search and filters of a table, kept in the page's address so that reload, Back and a shared link restore them. */
export function useTableState(defaults: TableDefaults): TableControls {
  const [query, setQuery] = useSearchParams();
  const [storedRows, setStoredRows] = useState(() => getPreference('rows'));
  // The defaults are written where the hook is called and never change afterwards.
  const fixed = useRef(defaults).current;
  const tableState = useMemo(() => readTableState(query, storedRows, fixed), [query, storedRows, fixed]);

  const change = useCallback(
    (changes: Record<string, string | null>, options?: { replace: boolean }) =>
      setQuery((old) => withParameters(old, changes), { preventScrollReset: true, ...options }),
    [setQuery],
  );

  const [searchTyped, setSearchTyped] = useState(tableState.search);
  const search = useDebouncedCallback(
    (text: string) => change({ search: text.trim(), page: null }, { replace: true }),
    SEARCH_DEBOUNCE_MS,
  );
  // Back and Forward change the address behind the box.
  useEffect(() => setSearchTyped(tableState.search), [tableState.search]);

  const rowsInAddress = (rows: number) => (rows === DEFAULT_ROWS && !query.has('per_page') ? null : String(rows));
  const addressWith = (changes: Record<string, string | null>): To => ({
    search: String(withParameters(query, changes)),
  });
  const pageParameters = (page: number) => ({
    page: page > 1 ? String(page) : null,
    // Whoever is given the address sees the same rows.
    per_page: rowsInAddress(tableState.perPage),
  });
  const sortParameters = (sort: TableSort) => ({ sort: sortParameter(sort), page: null });
  return {
    tableState,
    namedSort: fixed.sort && fixed.sortName ? { sort: fixed.sort, name: fixed.sortName } : undefined,
    searchTyped,
    setSearch: (text) => {
      setSearchTyped(text);
      search(text);
    },
    submitSearch: search.flush,
    setPage: (page) => change(pageParameters(page)),
    setPerPage: (rows) => {
      setPreference('rows', rows);
      setStoredRows(rows);
      change({ per_page: rows === DEFAULT_ROWS ? null : String(rows), page: null });
    },
    setSort: (sort) => change(sortParameters(sort)),
    setFilter: (name, value) => change({ [name]: value, page: null }),
    toPage: (page) => addressWith(pageParameters(page)),
    toSort: (sort) => addressWith(sortParameters(sort)),
  };
}
