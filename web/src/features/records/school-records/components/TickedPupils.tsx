import type { SchoolRecordsRow } from '#contract/calls/school-records.ts';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { PlanPart } from '../../runs/runs.public.ts';

interface Props<Row extends SchoolRecordsRow> {
  title: string;
  note: string;
  rows: readonly Row[];
  /** The label of the checkbox for all of them. */
  allLabel: string;
  isFolded?: boolean;
  isTicked: (row: Row) => boolean;
  onTick: (rows: readonly Row[], isTicked: boolean) => void;
}

/** Pupils of the plan, each with a checkbox. */
export function TickedPupils<Row extends SchoolRecordsRow>({
  title,
  note,
  rows,
  allLabel,
  isFolded,
  isTicked,
  onTick,
}: Props<Row>) {
  const ticked = rows.filter(isTicked).length;
  return (
    <PlanPart
      title={title}
      rows={rows}
      note={note}
      isFolded={isFolded}
      action={
        <Checkbox
          label={allLabel}
          checked={ticked === rows.length}
          isMixed={ticked > 0 && ticked < rows.length}
          onChange={(event) => onTick(rows, event.currentTarget.checked)}
        />
      }
    >
      {(row) => (
        <li key={row.source_id}>
          <Checkbox
            label={row.name}
            checked={isTicked(row)}
            onChange={(event) => onTick([row], event.currentTarget.checked)}
          />
          <span className="soft">{row.class ?? 'no class'}</span>
        </li>
      )}
    </PlanPart>
  );
}
