import { useMemo, useState } from 'react';
import { useSearchParams } from '../shared/router.ts';
import { DEFAULT_PAGE_SIZE } from '#contract/limits.ts';
import { getPreference, setPreference } from '../shared/preferences.ts';
import { type ParamChanges, useUpdateSearchParams } from '../shared/use-update-search-params.ts';
import {
  readTableState,
  sortParameter,
  type TableDefaults,
  type TableState,
  type TableSort,
} from './table-url-state.ts';

export interface TableControls {
  tableState: TableState;
  /** An order that no column has, with its name. */
  namedSort?: { sort: TableSort; name: string } | undefined;
  setPage: (page: number) => void;
  setPerPage: (rows: number) => void;
  setSort: (sort: TableSort) => void;
  /** Sets one of the further parameters, or clears it with an empty text. */
  setFilter: (name: string, value: string) => void;
  /** The same changes for links. */
  pageChanges: (page: number) => ParamChanges;
  sortChanges: (sort: TableSort) => ParamChanges;
}

const sortChanges = (sort: TableSort): ParamChanges => ({ sort: sortParameter(sort), page: null });

/**
 * The page, sorting, search and filters of a table, stored in the page's URL so that reload, Back and a shared link restore
 * them. Define `defaults` outside the component.
 */
export function useTableState(defaults: TableDefaults): TableControls {
  const [query] = useSearchParams();
  const update = useUpdateSearchParams();
  const [storedRows, setStoredRows] = useState(() => getPreference('rows'));
  const tableState = useMemo(() => readTableState(query, storedRows, defaults), [query, storedRows, defaults]);

  const hasRowsInUrl = query.has('per_page');
  const pageChanges = (page: number): ParamChanges => ({
    page: page > 1 ? String(page) : null,
    // A shared URL shows the same rows.
    per_page: tableState.perPage === DEFAULT_PAGE_SIZE && !hasRowsInUrl ? null : String(tableState.perPage),
  });
  return {
    tableState,
    namedSort: defaults.sort && defaults.sortName ? { sort: defaults.sort, name: defaults.sortName } : undefined,
    setPage: (page) => update(pageChanges(page)),
    setPerPage: (rows) => {
      setPreference('rows', rows);
      setStoredRows(rows);
      update({ per_page: rows === DEFAULT_PAGE_SIZE ? null : String(rows), page: null });
    },
    setSort: (sort) => update(sortChanges(sort)),
    setFilter: (name, value) => update({ [name]: value, page: null }),
    pageChanges,
    sortChanges,
  };
}
