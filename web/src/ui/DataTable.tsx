import { VisuallyHidden } from './VisuallyHidden.tsx';
import { type ChangeEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { Checkbox } from './Checkbox.tsx';
import css from './DataTable.module.css';
import { EmptyState } from './EmptyState.tsx';
import { FOCUS_HOME } from './return-focus.ts';
import { PageCheckbox, ROW_CHECKBOX, ToActions } from './RowCheckbox.tsx';
import { HeaderCell, SortChoice } from './TableSorting.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { SkeletonRows } from './SkeletonRows.tsx';
import { type Column, type RowModel, ROWS_BY_ID, TableRow } from './TableRow.tsx';
import { TablePager } from './TablePager.tsx';
import { useDelayed } from './use-delayed.ts';
import { useTableAnnouncements } from './use-table-announcements.ts';
import { indexOfRow, useRowMenu } from './use-row-menu.ts';
import { useFocusOfRemovedRow, useTopOfPage } from './use-table-focus.ts';
import type { Key, Selection } from './use-selection.ts';
import type { TableControls } from './use-table-state.ts';

export { type Column, type RowModel, ROWS_BY_ID };

interface Props<Row, Action> {
  /** What the table lists, for screen readers: `Pupils`. */
  label: string;
  /** The first column names the row: it is the row's header, and the head of its card on narrow screens. */
  columns: readonly Column<Row>[];
  /** Undefined while nothing is known yet. Old rows may stay while new ones come: say so with `isStale`. */
  rows: readonly Row[] | undefined;
  rowModel: RowModel<Row, Action>;
  /** Receives what the menus of the rows report. Pass the same function at each render, such as a state setter. */
  onRowAction?: (action: Action) => void;
  isStale?: boolean;
  /** Shown if there are no rows: an EmptyState, or its text. */
  empty: ReactNode;
  /** A failure to load, as a Notice. Shown instead of the rows. */
  failure?: ReactNode;
  /** For a table that the server pages and sorts: its state, and how many rows there are in all. */
  controls?: TableControls;
  total?: number;
  selection?: Selection;
  /** The row that is being changed. */
  pendingKey?: Key | null;
  /** What a row is called, one and many: `['pupil', 'pupils']`. */
  noun?: readonly [string, string];
  /** Returns the keys of all rows that match the search and filters, so that all can be selected. */
  loadAllKeys?: () => Promise<readonly Key[]>;
  /** Buttons that act on the selection. */
  selectionActions?: ReactNode;
  /** Shows the buttons before a row is ticked. */
  areActionsAlwaysShown?: boolean;
  /** For columns of long texts: shows cards below 69 em. */
  needsRoom?: boolean;
}

const ignoreAction = () => {};

/** As many are closer together. */
const MANY_COLUMNS = 7;

/** As few fit a table on a tablet. */
const FEW_COLUMNS = 4;

/**
 * A table paged and sorted by the server. It is a list of cards where its columns do not fit: below 53 em, with few
 * columns below 42 em. Both are the same elements, because the server does not know the width of the window.
 */
export function DataTable<Row, Action = never>(props: Props<Row, Action>) {
  const {
    label,
    columns,
    rows,
    rowModel,
    onRowAction = ignoreAction,
    isStale = false,
    empty,
    failure,
    controls,
    selection,
    pendingKey = null,
    noun = ['row', 'rows'],
    needsRoom,
  } = props;
  const total = props.total ?? rows?.length ?? 0;
  const isLate = useDelayed(isStale);
  const id = useId();
  const keys = rows?.map(rowModel.key) ?? [];
  const chosenHere = selection ? keys.filter((key) => selection.keys.has(key)).length : 0;
  const filter = [controls?.tableState.search, ...Object.values(controls?.tableState.filters ?? {})]
    .filter(Boolean)
    .join('\n');
  const isDense = columns.length + Number(Boolean(selection)) + Number(Boolean(rowModel.menu)) >= MANY_COLUMNS;
  useReturnToLastPage(controls, rows, total, isStale);
  const root = useTopOfPage(controls?.tableState.page);
  const rememberRow = useFocusOfRemovedRow(rows);
  const { select, lastKey } = useRangeSelection(selection, keys);
  const { menuKey, openMenu, closeMenu } = useRowMenu(root, keys);
  const isLoading = !failure && (isStale || !rows);
  useTableAnnouncements({ columns, controls, noun, total, selection, selectedHere: chosenHere, isLoading });

  if (failure) return <>{failure}</>;
  if (rows?.length === 0 && total === 0)
    return <div className={`box ${css.sheet}`}>{typeof empty === 'string' ? <EmptyState title={empty} /> : empty}</div>;

  const width = needsRoom ? 'wide' : columns.length <= FEW_COLUMNS ? 'narrow' : undefined;
  const isAllChosen = keys.length > 0 && chosenHere === keys.length;
  const allBox = {
    isMixed: chosenHere > 0 && !isAllChosen,
    onChange: (event: ChangeEvent<HTMLInputElement>) => selection?.set(keys, event.currentTarget.checked),
  };

  return (
    <div className={css.root} ref={root} data-width={width} {...FOCUS_HOME}>
      <div className={`tools ${css.cardTools}`}>
        {selection && (
          <div className={`with-script ${css.selectAll}`}>
            <Checkbox label="Select all" checked={isAllChosen} {...allBox} />
            {chosenHere > 0 && <ToActions />}
          </div>
        )}
        {controls && <SortChoice columns={columns} controls={controls} />}
      </div>
      <div className={`box ${css.sheet}`} aria-busy={isStale || !rows} data-stale={isLate || undefined}>
        {/* Explicit roles: as cards the elements lose theirs in some browsers. */}
        <table className={css.table} role="table" aria-label={label} id={id} data-dense={isDense || undefined}>
          <thead role="rowgroup" className="sticky-head">
            <tr role="row">
              {selection && (
                <th role="columnheader" scope="col" className={css.check}>
                  <PageCheckbox label="Select all on this page" isChecked={isAllChosen} {...allBox} />
                  {chosenHere > 0 && <ToActions />}
                </th>
              )}
              {columns.map((column) => (
                <HeaderCell key={column.id} column={column} controls={controls} />
              ))}
              {rowModel.menu && (
                <th role="columnheader" scope="col" className={css.menu}>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </th>
              )}
            </tr>
          </thead>
          <tbody role="rowgroup" onFocus={rememberRow} onChange={select} onClick={openMenu}>
            {rows ? (
              rows.map((row) => {
                const key = rowModel.key(row);
                return (
                  <TableRow
                    key={key}
                    row={row}
                    rowId={key}
                    columns={columns}
                    model={rowModel}
                    onAction={onRowAction}
                    isChosen={selection?.keys.has(key) ?? null}
                    isPending={key === pendingKey}
                    isLastChosen={key === lastKey && selection !== undefined && selection.keys.has(key)}
                    isMenuOpen={key === menuKey}
                    onMenuClose={closeMenu}
                  />
                );
              })
            ) : (
              <SkeletonRows
                rows={Math.min(controls?.tableState.perPage ?? 5, 10)}
                columns={columns.length + (selection ? 1 : 0) + (rowModel.menu ? 1 : 0)}
              />
            )}
          </tbody>
        </table>
      </div>
      {selection && (
        <SelectionBar
          selection={selection}
          total={total}
          filter={filter}
          pageKeys={keys}
          noun={noun}
          loadAllKeys={props.loadAllKeys}
          isAlwaysShown={props.areActionsAlwaysShown ?? false}
        >
          {props.selectionActions}
        </SelectionBar>
      )}
      {controls && rows && <TablePager controls={controls} total={total} noun={noun} tableId={id} />}
    </div>
  );
}

/** Goes to the last page if the current one no longer exists, after a deletion or from an old link. */
function useReturnToLastPage(
  controls: TableControls | undefined,
  rows: readonly unknown[] | undefined,
  total: number,
  isStale: boolean,
) {
  const isPastEnd = rows?.length === 0 && total > 0 && !isStale;
  const lastPage = controls && isPastEnd ? Math.ceil(total / controls.tableState.perPage) : null;
  const setPage = controls?.setPage;
  useEffect(() => {
    if (lastPage !== null) setPage?.(lastPage);
  }, [lastPage, setPage]);
}

/**
 * The row that was ticked last, and the handler of the changes of all rows: it selects one row, or with Shift all rows
 * since the previous click.
 */
function useRangeSelection(selection: Selection | undefined, keys: readonly Key[]) {
  const [lastKey, setLastKey] = useState<Key | null>(null);
  const select = ({ target, nativeEvent }: ChangeEvent<HTMLElement>) => {
    if (!(target instanceof HTMLInputElement) || !target.hasAttribute(ROW_CHECKBOX)) return;
    const to = indexOfRow(target);
    const from = keys.indexOf(lastKey ?? keys[to] ?? '');
    const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey && from >= 0;
    const first = isRange ? from : to;
    selection?.set(keys.slice(Math.min(first, to), Math.max(first, to) + 1), target.checked);
    setLastKey(keys[to] ?? null);
  };
  return { select, lastKey };
}
