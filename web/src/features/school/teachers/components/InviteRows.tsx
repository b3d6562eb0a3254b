import { IconX } from '@tabler/icons-react';
import type { ClipboardEvent } from 'react';
import { hasClasses, ROLE_TEXTS, type AssignableRole, ASSIGNABLE_ROLES } from '#contract/permissions.ts';
import { fullName, listInWords } from '../../../../shared/format.ts';
import { IconButton } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { NativeSelect, TextInput } from '../../../../ui/Field.tsx';
import { useSchool } from '../../school/school.public.ts';
import { emptyRow, type InviteRow } from '../model/invite-rows.ts';
import css from '../AddTeacherPage.module.css';

interface Props {
  rows: readonly InviteRow[];
  onChange: (rows: InviteRow[]) => void;
  /** Takes cells that were pasted from a spreadsheet. */
  onPasteList: (text: string) => void;
  /** Errors of emails by row number, from 0. */
  problems: Readonly<Record<number, string>>;
}

/** `id` of a row's email, for the error summary. */
export const fieldOf = (index: number) => `email-${index}`;

/** Teacher first: most people who are invited are teachers. */
const ROLE_CHOICES = ['teacher' as const, ...ASSIGNABLE_ROLES.filter((role) => role !== 'teacher')].map((value) => ({
  value,
  label: ROLE_TEXTS[value].name,
}));

/** Rows of email, name, class and role. A new row appears when the user types in the last one. */
export function InviteRows({ rows, onChange, onPasteList, problems }: Props) {
  const classes = (useSchool()?.groups ?? []).map(({ id, name, teachers }) => ({
    value: String(id),
    label: teachers.length > 0 ? `${name} (${listInWords(teachers.map(fullName))})` : name,
  }));
  const set = (index: number, changes: Partial<InviteRow>) => {
    const next = rows.map((row, rowIndex) => (rowIndex === index ? { ...row, ...changes } : row));
    if (index === rows.length - 1) next.push(emptyRow());
    onChange(next);
  };
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain').trim();
    if (!/[\n\t]/.test(text)) return;
    event.preventDefault();
    onPasteList(text);
  };
  return (
    <ol className={css.rows} data-classes={classes.length > 0 || undefined} aria-label="Teachers to invite">
      {rows.map((row, index) => (
        <li key={index} data-left={row.isLeftOut || undefined}>
          {row.emails ? (
            <NativeSelect
              id={fieldOf(index)}
              label={`Email of teacher ${index + 1}`}
              value={row.email}
              error={problems[index]}
              onChange={(event) => set(index, { email: event.currentTarget.value })}
              data={row.emails.map((email) => ({ value: email, label: email }))}
            />
          ) : (
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
              onPaste={onPaste}
              onChange={(event) => set(index, { email: event.currentTarget.value })}
            />
          )}
          <TextInput
            label={`Name of teacher ${index + 1} (optional)`}
            value={row.name}
            autoComplete="off"
            autoCapitalize="words"
            spellCheck={false}
            onPaste={onPaste}
            onChange={(event) => set(index, { name: event.currentTarget.value })}
          />
          {classes.length > 0 && hasClasses(row.role) && (
            <NativeSelect
              label={`Class of teacher ${index + 1} (optional)`}
              value={row.classId}
              onChange={(event) => set(index, { classId: event.currentTarget.value })}
              data={[{ value: '', label: 'No class yet' }, ...classes]}
            />
          )}
          <NativeSelect
            className={css.role}
            label={`Role of teacher ${index + 1}`}
            value={row.role}
            onChange={(event) => set(index, { role: event.currentTarget.value as AssignableRole })}
            data={ROLE_CHOICES}
          />
          <IconButton
            className={css.remove}
            data-unused={index === rows.length - 1 || undefined}
            aria-label={`Remove row ${index + 1}`}
            onClick={() => onChange(rows.filter((_, rowIndex) => rowIndex !== index))}
          >
            <IconX size={18} aria-hidden />
          </IconButton>
          {row.doubt && (
            <Checkbox
              className={css.doubt}
              label={`Invite teacher ${index + 1}`}
              description={row.doubt}
              checked={!row.isLeftOut}
              onChange={(event) => set(index, { isLeftOut: !event.currentTarget.checked })}
            />
          )}
        </li>
      ))}
    </ol>
  );
}
