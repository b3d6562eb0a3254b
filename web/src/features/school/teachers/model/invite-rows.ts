import type { ListedPerson } from '#contract/calls/invites.ts';
import { email as emailSchema } from '#contract/fields.ts';
import type { AssignableRole } from '#contract/permissions.ts';

/** A row of the form. */
export interface InviteRow {
  email: string;
  name: string;
  role: AssignableRole;
  /** ID of the class that the person will teach, as text; empty for none. */
  classId: string;
  /** The addresses to choose from, for a person with several in a list. */
  emails?: string[];
  /** Why inviting a person of a list needs a look. */
  doubt?: string | null;
  isLeftOut?: boolean;
}

export const emptyRow = (): InviteRow => ({ email: '', name: '', role: 'teacher', classId: '' });

/** Rows of the people in a list. Those with a doubt are left out until the user ticks them. */
export const rowsOfList = (people: readonly ListedPerson[]): InviteRow[] =>
  people.map(({ email, other_emails: others, name, role, doubt }) => ({
    email,
    name,
    role,
    classId: '',
    ...(others.length > 0 && { emails: [email, ...others] }),
    ...(doubt !== null && { doubt, isLeftOut: true }),
  }));

/** The rows to invite: those with an email that are not left out. */
export const filledRows = (rows: readonly InviteRow[]): InviteRow[] =>
  rows.flatMap((row) =>
    row.email.trim() === '' || row.isLeftOut ? [] : [{ ...row, email: row.email.trim(), name: row.name.trim() }],
  );

/** Errors of emails by row number, from 0. */
export function emailProblems(rows: readonly InviteRow[]): Record<number, string> {
  const problems: Record<number, string> = {};
  for (const [index, { email, isLeftOut }] of rows.entries()) {
    if (email.trim() === '' || isLeftOut) continue;
    const checked = emailSchema.safeParse(email);
    if (!checked.success) problems[index] = checked.error.issues[0]?.message ?? '';
  }
  if (filledRows(rows).length === 0) problems[0] = 'Enter an email address.';
  return problems;
}
