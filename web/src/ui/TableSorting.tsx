import { NativeSelect } from './Field.tsx';
import { VisuallyHidden } from './VisuallyHidden.tsx';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import css from './DataTable.module.css';
import { QueryForm } from './QueryForm.tsx';
import { SearchParamsLink } from './SearchParamsLink.tsx';
import { sortOf, sortParameter } from './table-url-state.ts';
import type { TableControls } from './use-table-state.ts';

export const DEFAULT_SORT_WORDS = ['A to Z', 'Z to A'] as const;

export interface SortableColumn {
  id: string;
  header: string;
  sort?: string;
  sortWords?: readonly [string, string];
  align?: 'start' | 'end';
  isHeaderHidden?: boolean;
  isScreenOnly?: boolean;
}

interface CellProps {
  column: SortableColumn;
  controls: TableControls | undefined;
}

/** Head of a column; a link where it can be sorted. */
export function HeaderCell({ column, controls }: CellProps) {
  const field = column.sort;
  if (!field || !controls)
    return (
      <th role="columnheader" scope="col" data-align={column.align} data-screen-only={column.isScreenOnly || undefined}>
        {column.isHeaderHidden ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
      </th>
    );

  const { sort } = controls.tableState;
  const direction = sort?.field === field ? sort.direction : null;
  const Icon = direction === 'asc' ? IconArrowUp : direction === 'desc' ? IconArrowDown : IconArrowsSort;
  return (
    <th
      role="columnheader"
      scope="col"
      data-align={column.align}
      aria-sort={direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending'}
    >
      <SearchParamsLink
        changes={controls.sortChanges({ field, direction: direction === 'asc' ? 'desc' : 'asc' })}
        className={css.sort}
        data-on={direction !== null || undefined}
      >
        {column.header}
        <Icon size={16} aria-hidden />
      </SearchParamsLink>
    </th>
  );
}

/** The same choice where the heads of the columns are hidden: above cards. */
export function SortChoice({ columns, controls }: { columns: readonly SortableColumn[]; controls: TableControls }) {
  const { namedSort, tableState } = controls;
  const { sort } = tableState;
  const sortable = columns.filter((column) => column.sort);
  if (sortable.length === 0) return null;
  const choose = (value: string) => {
    const chosen = sortOf(value);
    if (chosen) controls.setSort(chosen);
  };
  return (
    <QueryForm sets={['sort']} action="Sort" className={css.sortChoice}>
      <NativeSelect
        size="sm"
        name="sort"
        label="Sort by"
        value={sort ? sortParameter(sort) : ''}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          ...(sort ? [] : [{ value: '', label: 'No order' }]),
          ...(namedSort ? [{ value: sortParameter(namedSort.sort), label: namedSort.name }] : []),
          ...sortable.flatMap(({ header, sort: field, sortWords: [up, down] = DEFAULT_SORT_WORDS }) => [
            { value: `${field}`, label: `${header}: ${up}` },
            { value: `-${field}`, label: `${header}: ${down}` },
          ]),
        ]}
      />
    </QueryForm>
  );
}
