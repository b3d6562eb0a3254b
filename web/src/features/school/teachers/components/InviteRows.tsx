import { IconButton } from '../../../../ui/Button.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { IconX } from '@tabler/icons-react';
import { emptyRow, type InviteRow } from '../model/invite-rows.ts';
import css from '../AddTeacherPage.module.css';

interface Props {
  rows: readonly InviteRow[];
  onChange: (rows: InviteRow[]) => void;
  /** Errors of emails by row number, from 0. */
  problems: Readonly<Record<number, string>>;
}

/** `id` of a row's email, for the error summary. */
export const fieldOf = (index: number) => `email-${index}`;

/** Rows of email and name. A new row appears when the user types in the last one. */
export function InviteRows({ rows, onChange, problems }: Props) {
  const set = (index: number, changes: Partial<InviteRow>) => {
    const next = rows.map((row, rowIndex) => (rowIndex === index ? { ...row, ...changes } : row));
    if (index === rows.length - 1) next.push(emptyRow());
    onChange(next);
  };
  return (
    <ol className={css.rows} aria-label="Teachers to invite">
      {rows.map((row, index) => (
        <li key={index}>
          <TextInput
            id={fieldOf(index)}
            label={`Email of teacher ${index + 1}`}
            type="email"
            inputMode="email"
            value={row.email}
            error={problems[index]}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => set(index, { email: event.currentTarget.value })}
          />
          <TextInput
            label={`Name of teacher ${index + 1} (optional)`}
            value={row.name}
            autoComplete="off"
            autoCapitalize="words"
            spellCheck={false}
            onChange={(event) => set(index, { name: event.currentTarget.value })}
          />
          <IconButton
            className={css.remove}
            data-unused={index === rows.length - 1 || undefined}
            aria-label={`Remove row ${index + 1}`}
            onClick={() => onChange(rows.filter((_, rowIndex) => rowIndex !== index))}
          >
            <IconX size={18} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ol>
  );
}
