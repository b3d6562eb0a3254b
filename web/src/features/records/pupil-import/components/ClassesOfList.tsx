import { count } from '../../../../shared/format.ts';
import { type Column, DataTable, type RowModel } from '../../../../ui/DataTable.tsx';
import type { DraftClass } from '../model/classes.ts';
import { CellInput } from './CellInput.tsx';

interface Props {
  classes: readonly DraftClass[];
  /** The names of the school's classes, to choose from. */
  existing: readonly string[];
  isBusy: boolean;
  onRename: (from: string, to: string) => void;
}

const ROW_MODEL: RowModel<DraftClass> = { key: ({ name }) => name };
const NAMES = 'existing-classes';

/** The classes of a list before its pupils: fifteen lines are checked sooner than hundreds. Each name can be changed. */
export function ClassesOfList({ classes, existing, isBusy, onRename }: Props) {
  const columns: Column<DraftClass>[] = [
    {
      id: 'name',
      header: 'Class',
      cell: ({ name, pupils }) => (
        <CellInput
          label={`Name of the class of ${count(pupils, 'pupil')}, now ${name}`}
          list={NAMES}
          value={name}
          onSave={(typed) => onRename(name, typed)}
        />
      ),
    },
    { id: 'pupils', header: 'Pupils', align: 'end', cell: ({ pupils }) => pupils },
    {
      id: 'kind',
      header: 'In your school',
      cell: ({ isExisting, teachers }) =>
        isExisting ? ['Yes', teachers].filter(Boolean).join(', ') : <strong>New</strong>,
    },
    { id: 'sample', header: 'Such as', cell: ({ sample }) => <span className="soft">{sample}</span> },
  ];
  return (
    <>
      <datalist id={NAMES}>
        {existing.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <DataTable
        label="Classes of the list"
        columns={columns}
        rows={classes}
        total={classes.length}
        rowModel={ROW_MODEL}
        isStale={isBusy}
        empty="The list has no classes"
      />
    </>
  );
}
