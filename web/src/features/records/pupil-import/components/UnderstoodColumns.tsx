import { NativeSelect } from '../../../../ui/Field.tsx';
import type { ColumnRole, ImportColumn } from '#contract/calls/pupil-import.ts';
import { Notice } from '../../../../ui/Notice.tsx';
import css from './UnderstoodColumns.module.css';
import type { ColumnChoice, Draft } from '../model/use-import-draft.ts';

const ROLES = {
  name: 'Name',
  first_name: 'First name',
  last_name: 'Last name',
  class: 'Class',
  year_group: 'Year group',
  birth_date: 'Date of birth',
  upn: 'UPN',
  ignored: 'Leave out',
};
/** Columns that only recognise a pupil, whose values are neither shown nor stored. */
const HIDDEN: readonly ColumnRole[] = ['birth_date', 'upn'];
const NAMES: readonly ColumnRole[] = ['name', 'first_name', 'last_name'];

interface Props {
  draft: Pick<Draft, 'understood' | 'isEdited'>;
  onRoles: (roles: readonly ColumnRole[], choice: ColumnChoice | undefined) => void;
  isBusy: boolean;
}

/** How each column was read, with a way to correct it. */
export function UnderstoodColumns({ draft: { understood: list, isEdited }, onRoles, isBusy }: Props) {
  const { sheets, tags } = list;
  const used = sheets.filter((sheet) => sheet.used);
  // The list of sheets shows the notes about several.
  const notes = sheets.length > 1 ? [] : sheets.filter(({ note }) => note);
  const columns = used[0]?.columns ?? [];
  if (sheets.length === 0) return null;
  const options: { value: ColumnRole; label: string }[] = [
    ...(Object.keys(ROLES) as (keyof typeof ROLES)[]).map((role) => ({ value: role, label: ROLES[role] })),
    ...tags.map(({ id, name }) => ({ value: `tag:${id}` as const, label: `Tag: ${name}` })),
  ];
  const labelOf = (role: ColumnRole) => options.find(({ value }) => value === role)?.label ?? '';

  return (
    <section aria-labelledby="columns-title" className={css.root}>
      <h2 id="columns-title" className={css.title}>
        Columns
      </h2>
      {notes.length > 0 && (
        <Notice>
          {notes.map(({ name, note }) => (
            <p key={name}>{note}</p>
          ))}
        </Notice>
      )}
      {/* Folded, unless no names were found. */}
      <details className="no-marker" open={!columns.some(({ role }) => NAMES.includes(role))}>
        <summary>
          <span>{describeColumns(columns, labelOf)}</span> <span className={`like-link ${css.change}`}>Change</span>
        </summary>
        {used.length > 1 && <p>The columns of {used.map(({ name }) => name).join(', ')}, in the same way:</p>}
        <ul className={`tiled ${css.columns}`}>
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
                    columns.map(({ index, role: current }) =>
                      index === column.index ? role : clash(current, role) ? 'ignored' : current,
                    ),
                    column.header === null ? undefined : { header: column.header, role },
                  );
                }}
                data={options}
              />
              {HIDDEN.includes(column.role) ? (
                <p className={css.why}>To recognise pupils. Not stored.</p>
              ) : (
                <p className={`one-line ${css.samples}`}>{[...new Set(column.samples)].join(' · ') || 'Empty'}</p>
              )}
              {column.is_remembered && <p className={css.remembered}>As last time</p>}
            </li>
          ))}
        </ul>
        {isEdited && (
          <p className="note">
            You cannot change the columns after correcting rows. To choose other columns, start again.
          </p>
        )}
      </details>
    </section>
  );
}

/** Two columns cannot have the same role, and a full name excludes its parts. */
const clash = (current: ColumnRole, chosen: ColumnRole): boolean =>
  current === chosen ||
  (chosen === 'name' && NAMES.includes(current)) ||
  (current === 'name' && NAMES.includes(chosen));

const ColumnName = ({ column: { letter, header } }: { column: ImportColumn }) => (
  <>
    Column {letter}
    {header && <span className="soft light"> {header}</span>}
  </>
);

/** `First name from column B, last name from column A.` */
function describeColumns(columns: readonly ImportColumn[], labelOf: (role: ColumnRole) => string): string {
  const used = columns.filter(({ role }) => role !== 'ignored');
  if (used.length === 0) return 'We could not tell what the columns are.';
  const [first, ...others] = used.map(
    ({ role, letter, is_remembered: isRemembered }) =>
      `${labelOf(role)} from column ${letter}${isRemembered ? ' (as last time)' : ''}`,
  );
  return `${[first, ...others.map(lowerFirst)].join(', ')}.`;
}

/** `Date of birth` becomes `date of birth`; `UPN` stays. */
const lowerFirst = (text: string): string =>
  /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
