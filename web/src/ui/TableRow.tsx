import { type ChangeEvent, memo, type ReactNode } from 'react';
import { ActionMenu } from './ActionMenu.tsx';
import css from './DataTable.module.css';
import { RowCheckbox } from './RowCheckbox.tsx';
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

interface Props<Row> {
  row: Row;
  rowId: Key;
  columns: readonly Column<Row>[];
  /** Names the row for its checkbox and its menu. */
  rowName: ((row: Row) => string) | undefined;
  rowMenu: ((row: Row) => ReactNode) | undefined;
  isChosen: boolean;
  isPending: boolean;
  /** Undefined where rows are not chosen. */
  onSelect: ((key: Key, event: ChangeEvent<HTMLInputElement>) => void) | undefined;
}

/** One row of a DataTable. Drawn again only when something of it has changed: further rows come in several goes. */
export const TableRow = memo(function TableRow<Row>(props: Props<Row>) {
  const { row, rowId, columns, rowName, rowMenu, isChosen, isPending, onSelect } = props;
  const name = rowName?.(row) ?? String(rowId);
  const menu = rowMenu?.(row);
  return (
    <tr role="row" data-chosen={isChosen || undefined} aria-busy={isPending || undefined}>
      {onSelect && (
        <td role="cell" className={css.check}>
          <RowCheckbox label={`Select ${name}`} isChecked={isChosen} onChange={(event) => onSelect(rowId, event)} />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          role="cell"
          key={column.id}
          data-align={column.align}
          data-title={index === 0 || undefined}
          data-one-line={column.isOneLine || undefined}
          data-screen-only={column.isScreenOnly || undefined}
        >
          {index > 0 && !column.isHeaderHidden && !column.isScreenOnly && (
            <span className={css.cardLabel} aria-hidden>
              {column.header}
            </span>
          )}
          <div className={css.cellContent}>{column.cell(row)}</div>
        </td>
      ))}
      {rowMenu && (
        <td role="cell" className={css.menu}>
          {menu && <ActionMenu label={`Actions for ${name}`}>{menu}</ActionMenu>}
        </td>
      )}
    </tr>
  );
}) as <Row>(props: Props<Row>) => ReactNode;
