import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import { formatNumber } from '../../../../shared/format.ts';
import { DataTable, type Column, type RowModel } from '../../../../ui/DataTable.tsx';
import { countDraft, type DraftRow, movable } from '../model/draft.ts';
import { CellInput } from './CellInput.tsx';
import css from './DraftTable.module.css';

interface Props {
  rows: readonly DraftRow[];
  /** Each row names its class. */
  hasClasses: boolean;
  isBusy: boolean;
  /** Changes a row; without it the table is only shown. */
  onEdit?: (key: number, changes: RowChanges) => void;
  onLeaveOut: (keys: readonly number[], isLeftOut: boolean) => void;
  onNamesake: (key: number, isNamesake: boolean) => void;
  /** Moves the school's pupil of this name to the row's class. */
  onMove: (key: number, isMoved: boolean) => void;
}

/** What the user can change in a row. */
export type RowChanges = Partial<Pick<DraftRow, 'name' | 'class' | 'lacksForename'>>;

type RowFilter = 'all' | 'new' | 'already' | 'moved' | 'archived' | 'duplicate' | 'wrong' | 'leftOut';

const KINDS: Record<RowFilter, string> = {
  all: 'All',
  new: 'New',
  already: 'In the school already',
  moved: 'Moved',
  archived: 'In the archive',
  duplicate: 'Twice in the list',
  wrong: 'To correct',
  leftOut: 'Left out',
};
/** Rows shown at first. More are shown on request, so that a list of thousands renders quickly. */
const STEP = 100;

const ROW_MODEL: RowModel<DraftRow> = { key: ({ key }) => key };

const kindOf = ({ status, isLeftOut }: DraftRow): Exclude<RowFilter, 'all'> => (isLeftOut ? 'leftOut' : status);

/** Rows with a fault are corrected above the table. */
const isEditable = ({ isLeftOut, wasWrong }: DraftRow): boolean => !isLeftOut && !wasWrong;

/** The outcome for each row. */
export function DraftTable({ rows, hasClasses, isBusy, onEdit, onLeaveOut, onNamesake, onMove }: Props) {
  const [shown, setShown] = useState<RowFilter>('all');
  const [maxRows, setMaxRows] = useState(STEP);
  const counts: Record<RowFilter, number> = { all: rows.length, ...countDraft(rows) };
  const kind = counts[shown] === 0 ? 'all' : shown;
  const list = kind === 'all' ? rows : rows.filter((row) => kindOf(row) === kind);

  const columns: Column<DraftRow>[] = [
    {
      id: 'name',
      header: 'Name',
      cell: (row) =>
        !onEdit || !isEditable(row) ? (
          <span data-left={row.isLeftOut || undefined} className={css.name}>
            {row.name || 'Without a name'}
          </span>
        ) : (
          <CellInput
            label={`Name in ${row.location}`}
            value={row.name}
            onSave={(name) => onEdit(row.key, { name, lacksForename: false })}
          />
        ),
    },
    { id: 'location', header: 'Where', cell: ({ location }) => <span className="nowrap">{location}</span> },
    ...(hasClasses
      ? [
          {
            id: 'class',
            header: 'Class',
            cell: (row: DraftRow) =>
              !onEdit || !isEditable(row) ? (
                <span className={css.class}>{row.class ?? '–'}</span>
              ) : (
                <CellInput
                  label={`Class in ${row.location}`}
                  value={row.class ?? ''}
                  placeholder="No class"
                  onSave={(text) => onEdit(row.key, { class: text || null })}
                />
              ),
          },
        ]
      : []),
    { id: 'status', header: 'Outcome', cell: (row) => <Verdict row={row} /> },
    ...(onEdit
      ? [
          {
            id: 'actions',
            header: 'Actions',
            isHeaderHidden: true,
            align: 'end' as const,
            cell: (row: DraftRow) => (
              <RowActions row={row} onLeaveOut={onLeaveOut} onNamesake={onNamesake} onMove={onMove} />
            ),
          },
        ]
      : []),
  ];

  return (
    <>
      <div className={`cluster below-l ${css.kinds}`} role="group" aria-label="Rows shown">
        {(Object.keys(KINDS) as RowFilter[])
          .filter((option) => option === 'all' || counts[option] > 0)
          .map((option) => (
            <button
              key={option}
              type="button"
              aria-pressed={option === kind}
              onClick={() => {
                setShown(option);
                setMaxRows(STEP);
              }}
            >
              {KINDS[option]} <strong>{formatNumber(counts[option])}</strong>
            </button>
          ))}
      </div>
      <DataTable
        label="Rows of the list"
        columns={columns}
        rows={list.slice(0, maxRows)}
        total={list.length}
        rowModel={ROW_MODEL}
        isStale={isBusy}
        empty="The list has no names"
      />
      {list.length > maxRows && (
        <Button className="above-l" variant="default" onClick={() => setMaxRows(maxRows + STEP)}>
          Show {Math.min(STEP, list.length - maxRows)} more of {formatNumber(list.length)}
        </Button>
      )}
    </>
  );
}

function Verdict({ row }: { row: DraftRow }) {
  const kind = kindOf(row);
  const text =
    kind === 'new'
      ? row.namesake
        ? 'New, another pupil of this name'
        : ['New', row.reason].filter(Boolean).join('. ')
      : kind === 'leftOut'
        ? 'Left out'
        : (row.reason ?? KINDS[kind]);
  return (
    <span className={css.verdict} data-kind={kind}>
      {text}
    </span>
  );
}

function RowActions({
  row,
  onLeaveOut,
  onNamesake,
  onMove,
}: { row: DraftRow } & Pick<Props, 'onLeaveOut' | 'onNamesake' | 'onMove'>) {
  const { key, name, namesake, isLeftOut, status } = row;
  const mayBeAnother = !isLeftOut && (status === 'already' || status === 'duplicate' || status === 'archived');
  const mayMove = status === 'already' && movable([row]).length > 0;
  return (
    <div className={css.actions}>
      {!isLeftOut && status === 'archived' && (
        <Button
          variant="subtle"
          size="compact-md"
          aria-label={`Same child, restore: ${name}`}
          onClick={() => onMove(key, true)}
        >
          Same child, restore
        </Button>
      )}
      {mayMove && (
        <Button
          variant="subtle"
          size="compact-md"
          aria-label={`Move to ${row.class}: ${name}`}
          onClick={() => onMove(key, true)}
        >
          Move to {row.class}
        </Button>
      )}
      {!isLeftOut && status === 'moved' && (
        <Button
          variant="subtle"
          size="compact-md"
          aria-label={`Do not move: ${name}`}
          onClick={() => onMove(key, false)}
        >
          Do not move
        </Button>
      )}
      {mayBeAnother && (
        <Button
          variant="subtle"
          size="compact-md"
          aria-label={`Add as another pupil: ${name}`}
          onClick={() => onNamesake(key, true)}
        >
          Add as another pupil
        </Button>
      )}
      {namesake && !isLeftOut && (
        <Button
          variant="subtle"
          size="compact-md"
          aria-label={`Same pupil after all: ${name}`}
          onClick={() => onNamesake(key, false)}
        >
          Same pupil after all
        </Button>
      )}
      {(status === 'new' || status === 'wrong' || status === 'archived' || isLeftOut) && (
        <Button
          variant="subtle"
          size="compact-md"
          aria-label={`${isLeftOut ? 'Put back' : 'Leave out'} ${name || 'the row without a name'}`}
          onClick={() => onLeaveOut([key], !isLeftOut)}
        >
          {isLeftOut ? 'Put back' : 'Leave out'}
        </Button>
      )}
    </div>
  );
}
