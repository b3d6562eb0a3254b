import { NativeSelect } from '@mantine/core';
import type { ColumnRole, ImportColumn } from '#contract/calls/pupil-import.ts';
import { Notice } from '../../../ui/Notice.tsx';
import css from './UnderstoodColumns.module.css';
import type { Draft } from '../model/use-import-draft.ts';

const ROLES: Record<ColumnRole, string> = {
  name: 'Name',
  first_name: 'First name',
  last_name: 'Last name',
  class: 'Class',
  ignored: 'Leave out',
};
const NAMES: readonly ColumnRole[] = ['name', 'first_name', 'last_name'];

interface Props {
  draft: Draft;
  onRoles: (roles: readonly ColumnRole[]) => void;
  isBusy: boolean;
}

/** How each column was read, with a way to correct it. */
export function UnderstoodColumns({ draft: { sheets, isEdited }, onRoles, isBusy }: Props) {
  const used = sheets.filter((sheet) => sheet.used);
  const notes = sheets.filter(({ note }) => note);
  const columns = used[0]?.columns ?? [];
  if (sheets.length === 0) return null;

  return (
    <section aria-labelledby="columns-title" className={css.root}>
      <h2 id="columns-title" className={css.title}>
        Columns
      </h2>
      {notes.length > 0 && (
        <Notice>
          <ul>
            {notes.map(({ name, note }) => (
              <li key={name}>
                {sheets.length > 1 && name && <strong>{name}: </strong>}
                {note}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {/* Folded, unless no names were found. */}
      <details open={!columns.some(({ role }) => NAMES.includes(role))}>
        <summary>
          <span>{understood(columns)}</span> <span className={css.change}>Change</span>
        </summary>
        {used.length > 1 && <p>The columns of {used.map(({ name }) => name).join(', ')}, in the same way:</p>}
        <ul className={css.columns}>
          {columns.map((column) => (
            <li key={column.index} data-ignored={column.role === 'ignored' || undefined}>
              <NativeSelect
                size="sm"
                label={<ColumnName column={column} />}
                value={column.role}
                disabled={isBusy || isEdited}
                onChange={(event) => {
                  const role = event.currentTarget.value as ColumnRole;
                  onRoles(
                    columns.map((other) =>
                      other.index === column.index ? role : clash(other.role, role) ? 'ignored' : other.role,
                    ),
                  );
                }}
                data={(Object.keys(ROLES) as ColumnRole[]).map((role) => ({ value: role, label: ROLES[role] }))}
              />
              <p className={css.samples}>{column.samples.join(' · ') || 'Empty'}</p>
            </li>
          ))}
        </ul>
        {isEdited && (
          <p className={css.note}>
            You cannot change the columns after correcting rows. To choose other columns, start again.
          </p>
        )}
      </details>
    </section>
  );
}

/** Two columns cannot both be the last name, and a full name excludes its parts. */
const clash = (other: ColumnRole, chosen: ColumnRole): boolean =>
  other === chosen || (chosen === 'name' && NAMES.includes(other)) || (other === 'name' && NAMES.includes(chosen));

const ColumnName = ({ column: { letter, header } }: { column: ImportColumn }) => (
  <>
    Column {letter}
    {header && <span className={css.header}> {header}</span>}
  </>
);

/** `First name from column B, last name from column A.` */
function understood(columns: readonly ImportColumn[]): string {
  const used = columns.filter(({ role }) => role !== 'ignored');
  if (used.length === 0) return 'We could not tell what the columns are.';
  const text = used.map(({ role, letter }) => `${ROLES[role].toLowerCase()} from column ${letter}`).join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
