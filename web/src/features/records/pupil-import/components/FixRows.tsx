import { Button } from '../../../../ui/Button.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { count } from '../../../../shared/format.ts';
import { type DraftRow, isSuggested } from '../model/draft.ts';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';
import css from './FixRows.module.css';

interface Props {
  /** Rows that are or were wrong. */
  rows: readonly DraftRow[];
  /** Each row names its class, which can be wrong too. */
  hasClasses: boolean;
  onEdit: (key: number, changes: { name: string; class: string | null; lacksForename: false }) => void;
  /** Takes each suggested name. */
  onSuggestions: () => void;
  onLeaveOut: (keys: readonly number[], isLeftOut: boolean) => void;
}

const SHOWN = 50;

/** Start of the rows to correct. */
export function focusFirstWrongRow(): void {
  const field = document.querySelector<HTMLElement>('[data-fix] [aria-invalid="true"]');
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}

/** Rows that could not be read, to be corrected in place. */
export function FixRows({ rows, hasClasses, onEdit, onSuggestions, onLeaveOut }: Props) {
  const wrong = rows.filter(({ status, isLeftOut }) => status === 'wrong' && !isLeftOut);
  const suggested = rows.filter(isSuggested).length;
  if (rows.length === 0) return null;
  return (
    <section
      aria-labelledby="fix-title"
      className={`box ${css.root}`}
      data-fix
      data-open={wrong.length > 0 || undefined}
    >
      <div className={`row spread ${css.head}`}>
        <h2 id="fix-title">
          {wrong.length > 0 ? `${count(wrong.length, 'row')} to correct` : 'All rows are corrected'}
        </h2>
        {suggested > 1 && (
          <Button size="sm" variant="default" onClick={onSuggestions}>
            Take all {suggested} suggested names
          </Button>
        )}
        {wrong.length > 1 && (
          <Button
            size="sm"
            variant="default"
            onClick={() =>
              onLeaveOut(
                wrong.map(({ key }) => key),
                true,
              )
            }
          >
            Leave all {wrong.length} out
          </Button>
        )}
      </div>
      <ul className="plain">
        {rows.slice(0, SHOWN).map((row) => (
          <FixRow key={row.key} row={row} hasClasses={hasClasses} onEdit={onEdit} onLeaveOut={onLeaveOut} />
        ))}
      </ul>
      {rows.length > SHOWN && (
        <p className="note">And {count(rows.length - SHOWN, 'more row')}. Correct these first, or leave them out.</p>
      )}
    </section>
  );
}

function FixRow({
  row,
  hasClasses,
  onEdit,
  onLeaveOut,
}: { row: DraftRow } & Pick<Props, 'hasClasses' | 'onEdit' | 'onLeaveOut'>) {
  // What is being typed, until it is saved.
  const [typed, setTyped] = useState<{ name?: string; class?: string }>({});
  const { name, class: className } = { name: row.name, class: row.class ?? '', ...typed };
  const isWrong = row.status === 'wrong' && !row.isLeftOut;
  const why = !isWrong && row.status === 'new' ? 'Corrected: a new pupil.' : row.reason;
  useAnnouncement(!row.isLeftOut && why);
  const keep = (whole = name) => {
    setTyped({});
    onEdit(row.key, { name: whole, class: className || null, lacksForename: false });
  };
  const save = () => {
    if (name !== row.name || className !== (row.class ?? '')) keep();
  };
  const keys = { onBlur: save, onKeyDown: (event: React.KeyboardEvent) => event.key === 'Enter' && save() };

  return (
    <li className={css.row}>
      <span className={`soft ${css.location}`}>{row.location}</span>
      <div className={`row ${css.fix}`}>
        {row.isLeftOut ? (
          <span className={`soft ${css.left}`}>{row.name || 'Without a name'}: left out</span>
        ) : (
          <>
            <TextInput
              aria-label={`Name in ${row.location}`}
              className={css.field}
              value={name}
              error={isWrong}
              aria-describedby={`why-${row.key}`}
              onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
              autoComplete="off"
              spellCheck={false}
              {...keys}
            />
            {hasClasses && (
              <TextInput
                aria-label={`Class in ${row.location}`}
                placeholder="Class"
                className={css.field}
                value={className}
                onChange={(event) => setTyped({ ...typed, class: event.currentTarget.value })}
                autoComplete="off"
                {...keys}
              />
            )}
          </>
        )}
        <span className={css.actions}>
          <Button
            variant="subtle"
            aria-label={`${row.isLeftOut ? 'Put back' : 'Leave out'} ${row.location}`}
            onClick={() => onLeaveOut([row.key], !row.isLeftOut)}
          >
            {row.isLeftOut ? 'Put back' : 'Leave out'}
          </Button>
          {isSuggested(row) && row.suggestedName !== null && (
            <Button
              variant="subtle"
              aria-label={`Use ${row.suggestedName} in ${row.location}`}
              onClick={() => keep(row.suggestedName ?? '')}
            >
              {row.suggestedName}
            </Button>
          )}
          {isWrong && row.lacksForename && (
            <Button variant="subtle" aria-label={`The whole name: ${row.name}`} onClick={() => keep()}>
              The whole name
            </Button>
          )}
        </span>
        {!row.isLeftOut && (
          <p id={`why-${row.key}`} className={css.why} data-wrong={isWrong || undefined}>
            {isWrong ? <IconAlertTriangle size={18} aria-hidden /> : <IconCircleCheck size={18} aria-hidden />}
            {why}
            {isWrong && row.content !== null && row.content !== row.name && (
              <span className="soft light">The row says: {row.content}</span>
            )}
          </p>
        )}
      </div>
    </li>
  );
}
