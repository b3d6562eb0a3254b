import { useEffect, useRef } from 'react';
import { announce } from '../shared/announcements.ts';
import { count, formatNumber } from '../shared/format.ts';
import { DEFAULT_SORT_WORDS, type SortableColumn } from './TableSorting.tsx';
import { sortParameter, type TableState } from './table-url-state.ts';
import { useLoadingAnnouncement } from './use-announcement.ts';
import type { Selection } from './use-selection.ts';
import type { TableControls } from './use-table-state.ts';

interface Table {
  columns: readonly SortableColumn[];
  controls?: TableControls | undefined;
  noun: readonly [one: string, many: string];
  /** How many rows there are, on all pages. */
  total: number;
  selection?: Selection | undefined;
  /** How many rows of this page are selected. */
  selectedHere: number;
  /** Rows are on their way. */
  isLoading: boolean;
}

/** Announces what the user's search, filters, sorting, paging and ticks have led to. */
export function useTableAnnouncements(table: Table): void {
  const { controls, noun, selection, isLoading } = table;
  useLoadingAnnouncement(isLoading, `Loading ${noun[1]}`);

  const now = { state: controls?.tableState, size: selection?.keys.size ?? 0 };
  const last = useRef(now);
  useEffect(() => {
    if (isLoading) return;
    const before = last.current;
    last.current = now;
    const texts = [
      before.state && now.state && describeChange(before.state, now.state, table),
      before.size !== now.size && describeSelection(now.size, table),
    ].filter(Boolean);
    if (texts.length > 0) announce(texts.join('. '));
  });
}

function describeSelection(size: number, { noun, total, selectedHere }: Table): string {
  if (size === 0) return `No ${noun[1]} selected`;
  return size === total || size === selectedHere
    ? `${formatNumber(size)} of ${count(total, ...noun)} selected`
    : `${count(size, ...noun)} selected, ${formatNumber(selectedHere)} shown`;
}

const narrowing = ({ search, filters }: TableState): string => JSON.stringify([search, filters]);

const sortOf = ({ sort }: TableState): string => (sort ? sortParameter(sort) : '');

function describeChange(before: TableState, after: TableState, table: Table): string {
  const isNarrowed = narrowing(before) !== narrowing(after);
  const isSorted = sortOf(before) !== sortOf(after);
  const isPaged = before.page !== after.page || before.perPage !== after.perPage;
  return [
    isSorted && describeSort(table),
    isNarrowed ? describeTotal(table) : isPaged && !isSorted && describePage(after, table),
  ]
    .filter(Boolean)
    .join('. ');
}

const describeTotal = ({ noun, total }: Table): string => (total === 0 ? `No ${noun[1]} found` : count(total, ...noun));

function describePage({ page, perPage }: TableState, { noun, total }: Table): string {
  const pages = Math.max(1, Math.ceil(total / perPage));
  const first = formatNumber((page - 1) * perPage + 1);
  const last = formatNumber(Math.min(page * perPage, total));
  return `Page ${formatNumber(page)} of ${formatNumber(pages)}: ${first} to ${last} of ${count(total, ...noun)}`;
}

/** `Sorted by name, Z to A` */
function describeSort({ columns, controls }: Table): string {
  const sort = controls?.tableState.sort;
  if (!sort) return '';
  const column = columns.find((candidate) => candidate.sort === sort.field);
  if (!column) return `Sorted: ${controls.namedSort?.name ?? sort.field}`;
  const [up, down] = column.sortWords ?? DEFAULT_SORT_WORDS;
  const name = column.header.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());
  return `Sorted by ${name}, ${sort.direction === 'asc' ? up : down}`;
}
