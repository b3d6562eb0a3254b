import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type Role,
  ROLE_TEXTS,
  roleAllows,
  ROLES,
  roleScopes,
  type SchoolAction,
  schoolActions,
} from '#contract/permissions.ts';

const PAGE = new URL('../docs/permissions.md', import.meta.url);

const SCOPE_TEXTS: Readonly<Record<keyof (typeof roleScopes)[Role], string>> = {
  pupils: 'see pupils and how they read',
  details: 'read notes, tags, hard words and reasons',
  changes: 'change classes and pupils',
  logins: 'renew logins',
  books: 'assign books',
};

const ACTION_TEXTS: Readonly<Record<SchoolAction, string>> = {
  view_school: 'see the school, its contacts and its staff',
  ask_for_admin: 'ask for an admin when the only one has left',
  view_pupils: 'see pupils, classes and reading',
  view_details: 'read notes, tags, hard words and reasons for needing help',
  view_privacy: 'see what is stored and erased, receipts and the log of changes',
  edit_school: 'change the school, its settings, tags and login security; close it',
  edit_contacts: 'change the contacts',
  add_teacher: 'invite staff',
  edit_teacher: 'change roles and reset second factors',
  delete_teacher: 'remove staff',
  manage_subscription: 'see and buy packages, see and pay invoices',
  manage_requests: 'answer requests and complaints about data',
  manage_reasons: 'choose when a pupil needs help; see the lowest fifth of a year',
  manage_notes: 'write notes and respond to reasons',
  delete_pupil: 'delete, archive and erase pupils; year end and school records',
  manage_classes: 'create and change classes',
  manage_pupils: 'add pupils, undo lists of them, and let assistants see one',
  edit_pupils: 'rename and move pupils',
  manage_logins: 'renew and print logins',
  manage_books: 'assign books',
};

const SCOPES = { school: 'all', own: 'own classes', none: '' } as const;

const table = (rows: readonly (readonly string[])[]): string => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
const head = (first: string) => [
  [first, ...ROLES.map((role) => ROLE_TEXTS[role].name)],
  ['---', ...ROLES.map(() => '---')],
];

/** The tables of roles, as Markdown. */
function printTables(): string {
  const scopes = (Object.keys(SCOPE_TEXTS) as (keyof typeof SCOPE_TEXTS)[]).map((right) => [
    SCOPE_TEXTS[right],
    ...ROLES.map((role) => SCOPES[roleScopes[role][right]]),
  ]);
  const actions = (Object.keys(schoolActions) as SchoolAction[]).map((action) => [
    `${ACTION_TEXTS[action]} (\`${action}\`)`,
    ...ROLES.map((role) => (roleAllows(role, action) ? 'yes' : '')),
  ]);
  return [
    'The classes to which a right applies:',
    '',
    table([...head('right'), ...scopes]),
    '',
    'The calls that a role can make, by the permission that each call declares:',
    '',
    table([...head('permission'), ...actions]),
  ].join('\n');
}

test('docs/permissions.md has the tables of roles that the code has', () => {
  const [, shown] = /<!-- roles -->\n([\s\S]*?)\n?<!-- \/roles -->/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  expect(shown?.trim()).toBe(printTables());
});
