import { email as emailSchema } from '#contract/fields.ts';

/** A row of the form. */
export interface InviteRow {
  email: string;
  name: string;
}

export const emptyRow = (): InviteRow => ({ email: '', name: '' });

/** Converts rows to the input of the call, without those that have no email. */
export const filledRows = (rows: readonly InviteRow[]): InviteRow[] =>
  rows.flatMap(({ email, name }) => (email.trim() === '' ? [] : [{ email: email.trim(), name: name.trim() }]));

/** Errors of emails by row number, from 0. */
export function emailProblems(rows: readonly InviteRow[]): Record<number, string> {
  const problems: Record<number, string> = {};
  for (const [index, { email }] of rows.entries()) {
    if (email.trim() === '') continue;
    const checked = emailSchema.safeParse(email);
    if (!checked.success) problems[index] = checked.error.issues[0]?.message ?? '';
  }
  if (filledRows(rows).length === 0) problems[0] = 'Enter an email address.';
  return problems;
}
