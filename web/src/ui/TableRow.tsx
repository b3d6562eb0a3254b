import { memo, type ReactNode } from 'react';
import css from './DataTable.module.css';
import { RowCheckbox, ToActions } from './RowCheckbox.tsx';
import { RowMenu } from './RowMenu.tsx';
import type { Key } from './use-selection.ts';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Field to sort by, as the call names it. Without it the column cannot be sorted. */
  sort?: string;
  /** The two orders in words, for the choice above cards: `['oldest first', 'latest first']`. Default: A to Z, Z to A. */
  sortWords?: readonly [string, string];
  /** `end` for figures. */
  align?: 'start' | 'end';
  /** The header is read out but not seen: for a column of buttons. */
  isHeaderHidden?: boolean;
  /** Stays on one line: states, dates, roles, figures. */
  isOneLine?: boolean;
  /** Of no use on paper, and without a label on a card: links to more. */
  isScreenOnly?: boolean;
}

/**
 * How a table identifies, names and acts on its rows. Create it outside the component that renders the table:
 * a new object renders every row again.
 */
export interface RowModel<Row, Action = never> {
  key: (row: Row) => Key;
  /** Names the row for its checkbox and its menu. */
  name?: (row: Row) => string;
  /** MenuLinks and MenuButtons, or nothing. `act` reports the chosen action to the table's `onRowAction`. */
  menu?: (row: Row, act: (action: Action) => void) => ReactNode;
}

/** For rows that have an ID and neither a checkbox nor a menu. */
export const ROWS_BY_ID: RowModel<{ id: Key }> = { key: ({ id }) => id };

interface Props<Row, Action> {
  row: Row;
  rowId: Key;
  columns: readonly Column<Row>[];
  model: RowModel<Row, Action>;
  onAction: (action: Action) => void;
  /** Null where rows are not chosen. */
  isChosen: boolean | null;
  isPending: boolean;
  /** It was ticked last. */
  isLastChosen: boolean;
  isMenuOpen: boolean;
  onMenuClose: (key: Key) => void;
}

/**
 * One row of a DataTable, re-rendered only when its props change. It has no hooks, handlers or Suspense boundary, so that
 * hydrating fifty of them is fast: the table handles its events.
 */
export const TableRow = memo(function TableRow<Row, Action>(props: Props<Row, Action>) {
  const { row, rowId, columns, model, onAction, isChosen, isPending, isLastChosen, isMenuOpen, onMenuClose } = props;
  const name = model.name?.(row) ?? String(rowId);
  const menu = model.menu?.(row, onAction);
  return (
    <tr role="row" data-chosen={isChosen || undefined} aria-busy={isPending || undefined}>
      {isChosen !== null && (
        <td role="cell" className={css.check}>
          <RowCheckbox label={`Select ${name}`} isChecked={isChosen} />
          {isLastChosen && <ToActions />}
        </td>
      )}
      {columns.map((column, index) => {
        const cell = {
          'data-align': column.align,
          'data-one-line': column.isOneLine || undefined,
          'data-screen-only': column.isScreenOnly || undefined,
        };
        const content = <div className={css.cellContent}>{column.cell(row)}</div>;
        return index === 0 ? (
          <th role="rowheader" scope="row" key={column.id} data-title {...cell}>
            {content}
          </th>
        ) : (
          <td role="cell" key={column.id} {...cell}>
            {!column.isHeaderHidden && !column.isScreenOnly && (
              <span className={css.cardLabel} aria-hidden>
                {column.header}
              </span>
            )}
            {content}
          </td>
        );
      })}
      {model.menu && (
        <td role="cell" className={css.menu}>
          {menu && (
            <RowMenu label={`Actions for ${name}`} onClose={() => onMenuClose(rowId)}>
              {isMenuOpen && menu}
            </RowMenu>
          )}
        </td>
      )}
    </tr>
  );
}) as <Row, Action>(props: Props<Row, Action>) => ReactNode;
