import { NativeSelect, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import css from './DataTable.module.css';
import type { TableSort } from './table-url-state.ts';

interface SortableColumn {
  id: string;
  header: string;
  sort?: string;
  sortWords?: readonly [string, string];
  align?: 'start' | 'end';
  isHeaderHidden?: boolean;
}

interface CellProps {
  column: SortableColumn;
  sort: TableSort | null;
  onSort: ((sort: TableSort) => void) | undefined;
}

/** Head of a column; a button where it can be sorted. */
export function HeaderCell({ column, sort, onSort }: CellProps) {
  const field = column.sort;
  if (!field || !onSort)
    return (
      <th role="columnheader" scope="col" data-align={column.align}>
        {column.isHeaderHidden ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
      </th>
    );

  const direction = sort?.field === field ? sort.direction : null;
  const Icon = direction === 'asc' ? IconArrowUp : direction === 'desc' ? IconArrowDown : IconArrowsSort;
  return (
    <th
      role="columnheader"
      scope="col"
      data-align={column.align}
      aria-sort={direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending'}
    >
      <button
        type="button"
        className={css.sort}
        data-on={direction !== null || undefined}
        onClick={() => onSort({ field, direction: direction === 'asc' ? 'desc' : 'asc' })}
      >
        {column.header}
        <Icon size={16} aria-hidden />
      </button>
    </th>
  );
}

/** The same choice where the heads of the columns are hidden: above cards. */
export function SortChoice({
  columns,
  sort,
  onSort,
}: {
  columns: readonly SortableColumn[];
  sort: TableSort | null;
  onSort: (sort: TableSort) => void;
}) {
  const sortable = columns.filter((column) => column.sort);
  if (sortable.length === 0) return null;
  const choose = (value: string) => {
    const [direction, field] = value.split(' ');
    if (field) onSort({ field, direction: direction === 'desc' ? 'desc' : 'asc' });
  };
  return (
    <NativeSelect
      size="sm"
      className={css.sortChoice}
      label="Sort by"
      value={sort ? `${sort.direction} ${sort.field}` : ''}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[
        ...(sort ? [] : [{ value: '', label: 'No order' }]),
        ...sortable.flatMap(({ header, sort: field, sortWords: [up, down] = ['A to Z', 'Z to A'] }) => [
          { value: `asc ${field}`, label: `${header}: ${up}` },
          { value: `desc ${field}`, label: `${header}: ${down}` },
        ]),
      ]}
    />
  );
}
