// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Program } from '#contract/calls/programs.ts';
import { MAX_PROGRAMS } from '#contract/programs.ts';
import { errorList } from '#contract/errors.ts';
import { fakeApi, rejectWith } from '../../../../testing/fake-api.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { Programs } from './Programs.tsx';

const LIST = '/v1/enterprises/7/programs';
const DAY_MS = 24 * 60 * 60 * 1000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

const makeProgram = (more: Partial<Program> = {}): Program => ({
  id: 4,
  name: 'Data warehouse',
  scopes: ['read_pupils', 'read_reading'],
  groups: null,
  made_at: '2026-11-03T09:00:00.000Z',
  made_by: { id: 3, name: 'Ada Okafor' },
  responsible: { id: 5, name: 'Ben Hall' },
  confirm_by: null,
  expires_at: '2027-02-01T09:00:00.000Z',
  last_used_at: null,
  other_network_at: null,
  ended_at: null,
  ended_because: null,
  ...more,
});
const CLASSES = [
  { id: 11, name: '3 Badgers' },
  { id: 12, name: '4 Wrens' },
];

let programs: Program[];
let answer: () => object;
let sent: Record<string, unknown[]>;
beforeEach(() => {
  programs = [];
  answer = () => ({ program: makeProgram(), token: 'portal_program_secret' });
  sent = fakeApi({
    [`GET ${LIST}`]: () => ({ programs }),
    [`POST ${LIST}`]: () => answer(),
    [`POST ${LIST}/4`]: () => answer(),
    [`POST ${LIST}/4/confirm`]: () => answer(),
    [`DELETE ${LIST}/4`]: () => answer(),
  });
});

/** Shows the card to an admin. Returns a simulated user. */
function show(more: Program[] = [], { canChange = true, user = makeUser() } = {}) {
  programs = more;
  signIn(user);
  return renderInApp(<Programs classes={CLASSES} canChange={canChange} />, '/school').user;
}
const rejectAs = (name: keyof typeof errorList) => () => {
  const { status, type, text } = errorList[name];
  return rejectWith(status, { error: text, error_type: type, code: name });
};
const button = (name: string) => screen.findByRole('button', { name });
const form = () => screen.findByRole('dialog', { name: 'Add a program' });
const factOf = async (name: string, term: string) => {
  const item = (await screen.findByRole('heading', { level: 3, name })).closest('li')!;
  return within(item).getByText(term, { selector: 'dt' }).nextElementSibling?.textContent;
};
const boxesOf = (part: HTMLElement): string[] =>
  within(part)
    .getAllByRole<HTMLInputElement>('checkbox')
    .filter(({ checked }) => checked)
    .map(({ labels }) => labels?.[0]?.textContent ?? '');

it('a program is listed with what it can do, who answers for it, its last use and its end', async () => {
  show([makeProgram({ last_used_at: '2026-11-20T10:15:00.000Z' })]);
  expect(await factOf('Data warehouse', 'What it can do')).toBe('See pupils and classes, see reading');
  expect(await factOf('Data warehouse', 'Classes')).toBe('The whole school');
  expect(await factOf('Data warehouse', 'Made')).toBe('3 November 2026, by Ada Okafor');
  expect(await factOf('Data warehouse', 'Answers for it')).toBe('Ben Hall');
  expect(await factOf('Data warehouse', 'Last used')).toBe('20 November 2026 at 10:15');
  expect(await factOf('Data warehouse', 'Ends')).toBe('1 February 2027');
  expect(screen.queryByText(/Ended in the last/)).toBeNull();
});

it('a program that is limited to classes names them, also when they have all been deleted', async () => {
  show([makeProgram({ groups: CLASSES }), makeProgram({ id: 6, name: 'Script', groups: [] })]);
  expect(await factOf('Data warehouse', 'Classes')).toBe('3 Badgers and 4 Wrens');
  expect(await factOf('Script', 'Classes')).toBe('None, because its classes have been deleted');
});

it('a program names the former staff who made it and answered for it once their names are erased', async () => {
  show([makeProgram({ made_by: null, responsible: null })]);
  expect(await factOf('Data warehouse', 'Made')).toBe('3 November 2026, by a former member of staff');
  expect(await factOf('Data warehouse', 'Answers for it')).toBe('A former member of staff');
  expect(await factOf('Data warehouse', 'Last used')).toBe('Never used');
});

it('a use from another network is listed for 30 days', async () => {
  const used = { last_used_at: daysAgo(1) };
  show([
    makeProgram({ ...used, other_network_at: daysAgo(29) }),
    makeProgram({ ...used, id: 6, name: 'Script', other_network_at: daysAgo(31) }),
  ]);
  expect(await factOf('Data warehouse', 'Last used')).toMatch(
    /Also used from another network, on \d+ \w+ \d{4} at \d\d:\d\d$/,
  );
  expect(await factOf('Script', 'Last used')).not.toContain('another network');
});

it('programs that have ended are listed below with the day and the reason, without buttons', async () => {
  const ended = (id: number, ended_because: Program['ended_because']) =>
    makeProgram({ id, name: `Script ${id}`, ended_at: '2026-11-12T09:00:00.000Z', ended_because });
  show([ended(1, 'revoked'), ended(2, 'expired'), ended(3, 'not_confirmed'), ended(4, 'school_closed')]);
  const part = await screen.findByRole('region', { name: 'Ended in the last 30 days' });
  expect(
    within(part)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Script 1 Revoked on 12 November 2026',
    'Script 2 Ended on 12 November 2026, when its time was up',
    'Script 3 Ended on 12 November 2026, because no admin confirmed it',
    'Script 4 Ended on 12 November 2026, because the school closed',
  ]);
  expect(screen.getByText('No program has a token at the moment.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Script/ })).toBeNull();
});

it('a closed school lists its programs without buttons', async () => {
  show([makeProgram({ confirm_by: '2026-12-14T09:00:00.000Z' })], { canChange: false });
  await screen.findByRole('heading', { name: 'Data warehouse' });
  expect(screen.queryByRole('button')).toBeNull();
});

it('support can only revoke a program', async () => {
  const user = makeUser({ impersonated_by: { id: 9, full_name: 'Sam Shaw' } });
  show([makeProgram({ confirm_by: '2026-12-14T09:00:00.000Z' })], { user });
  const card = await screen.findByRole('region', { name: 'Programs' });
  await button('Revoke Data warehouse');
  expect(within(card).getAllByRole('button')).toHaveLength(1);
});

it('a new program works in the whole school for 90 days unless the admin chooses otherwise', async () => {
  const user = show();
  await screen.findByText('No program has a token at the moment.');
  await user.click(await button('Add a program'));
  await user.type(within(await form()).getByLabelText('Name'), 'Data warehouse');
  await user.click(within(await form()).getByLabelText('See reading'));
  await user.click(within(await form()).getByLabelText('See pupils and classes'));
  await user.click(await button('Add the program'));
  await screen.findByRole('dialog', { name: 'Token of Data warehouse' });
  expect(sent[`POST ${LIST}`]).toEqual([
    { name: 'Data warehouse', scopes: ['read_pupils', 'read_reading'], group_ids: null, days: 90 },
  ]);
});

it('a program can be limited to some classes and a time', async () => {
  const user = show();
  await user.click(await button('Add a program'));
  await user.type(within(await form()).getByLabelText('Name'), 'Script');
  await user.click(within(await form()).getByLabelText('Assign books'));
  expect(screen.queryByLabelText('4 Wrens')).toBeNull();
  await user.click(within(await form()).getByLabelText('Some classes'));
  await user.click(within(await form()).getByLabelText('4 Wrens'));
  await user.selectOptions(within(await form()).getByLabelText('How long it works'), '1 year');
  await user.click(await button('Add the program'));
  await waitFor(() =>
    expect(sent[`POST ${LIST}`]).toEqual([{ name: 'Script', scopes: ['books'], group_ids: [12], days: 365 }]),
  );
});

it('the token is shown once, in a dialog that only its button closes', async () => {
  const user = show();
  await user.click(await button('Add a program'));
  await user.type(within(await form()).getByLabelText('Name'), 'Data warehouse');
  await user.click(within(await form()).getByLabelText('See reading'));
  await user.click(await button('Add the program'));
  const dialog = await screen.findByRole('dialog', { name: 'Token of Data warehouse' });
  await within(dialog).findByText('portal_program_secret');
  expect(within(dialog).getByText(/We do not show it again\./)).toBeTruthy();
  expect(within(dialog).getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe('/v1/docs');
  expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Copy' }));
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(within(dialog).getByRole('button', { name: 'Copy' }));
  expect(write).toHaveBeenCalledWith('portal_program_secret');
  await user.keyboard('{Escape}');
  expect(within(dialog).queryByRole('button', { name: 'Close' })).toBeNull();
  await user.click(dialog);
  expect(screen.getByText('portal_program_secret')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  expect(screen.queryByText('portal_program_secret')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a program' })));
  await user.click(await button('Add a program'));
  expect(within(await form()).getByLabelText('Name')).toHaveProperty('value', '');
});

it('a program needs a name, a scope and a class, and each error is at its field', async () => {
  const user = show();
  await user.click(await button('Add a program'));
  await user.click(within(await form()).getByLabelText('Some classes'));
  await user.click(await button('Add the program'));
  const summary = await within(await form()).findByRole('alert');
  const links = within(summary).getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Enter the name of the program.',
    'Choose what the program can do.',
    'Choose a class, or the whole school.',
  ]);
  await user.click(links[1]!);
  expect(document.activeElement).toBe(screen.getByLabelText('See pupils and classes'));
  await user.click(links[2]!);
  expect(document.activeElement).toBe(screen.getByLabelText('3 Badgers'));
  const scopes = within(await form()).getByRole('group', { name: 'What it can do' });
  expect(document.getElementById(scopes.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Choose what the program can do.',
  );
  expect(sent[`POST ${LIST}`]).toBeUndefined();
});

it('an error of the server about the name is at its field, and one about the number of programs above the form', async () => {
  answer = () =>
    rejectWith(422, { error: 'Invalid', error_type: 'validation', errors: { name: ['This name is not allowed.'] } });
  const user = show();
  await user.click(await button('Add a program'));
  await user.type(within(await form()).getByLabelText('Name'), 'Data warehouse');
  await user.click(within(await form()).getByLabelText('See reading'));
  await user.click(await button('Add the program'));
  const summary = await within(await form()).findByRole('alert');
  expect(within(summary).getByRole('link').getAttribute('href')).toBe('#program-name');
  answer = rejectAs('programs_full');
  await user.type(within(await form()).getByLabelText('Name'), '2');
  await user.click(await button('Add the program'));
  expect(await within(await form()).findByText(/A school has at most 20 programs\. Revoke one/)).toBeTruthy();
});

it('an admin without a second factor is led to add one, and what they typed stays', async () => {
  answer = rejectAs('program_needs_factor');
  const user = show();
  await user.click(await button('Add a program'));
  await user.type(within(await form()).getByLabelText('Name'), 'Data warehouse');
  await user.click(within(await form()).getByLabelText('See reading'));
  await user.click(await button('Add the program'));
  const link = await within(await form()).findByRole('link', { name: 'Add a passkey or an authenticator app first.' });
  expect(link.getAttribute('href')).toBe('/account/security');
  expect(within(await form()).getByText(/The program has not been added\./)).toBeTruthy();
  expect(within(await form()).getByLabelText('Name')).toHaveProperty('value', 'Data warehouse');
});

it('an admin changes the name, what the program can do and its classes, but not how long it works', async () => {
  const user = show([makeProgram({ groups: [CLASSES[1]!] })]);
  await user.click(await button('Change Data warehouse'));
  const dialog = await screen.findByRole('dialog', { name: 'Change Data warehouse' });
  await within(dialog).findByLabelText('Name');
  expect(boxesOf(dialog)).toEqual(['See pupils and classes', 'See reading', '4 Wrens']);
  expect(within(dialog).queryByLabelText('How long it works')).toBeNull();
  await user.type(within(dialog).getByLabelText('Name'), ' 2');
  await user.click(within(dialog).getByLabelText('See pupils and classes'));
  await user.click(within(dialog).getByLabelText('The whole school'));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent[`POST ${LIST}/4`]).toEqual([{ name: 'Data warehouse 2', scopes: ['read_reading'], group_ids: null }]);
});

it('a class that has been deleted meanwhile is left out of the choice', async () => {
  const user = show([makeProgram({ groups: [{ id: 99, name: 'Gone' }, CLASSES[0]!] })]);
  await user.click(await button('Change Data warehouse'));
  await user.click(await button('Save'));
  await waitFor(() => expect(sent[`POST ${LIST}/4`]).toMatchObject([{ group_ids: [11] }]));
});

it('a program is revoked after a question, and the list is loaded again', async () => {
  const user = show([makeProgram()]);
  await user.click(await button('Revoke Data warehouse'));
  const question = await screen.findByRole('dialog', { name: 'Revoke Data warehouse?' });
  expect(question.textContent).toContain('From now on its token opens nothing.');
  expect(sent[`DELETE ${LIST}/4`]).toBeUndefined();
  programs = [makeProgram({ ended_at: '2026-11-30T09:00:00.000Z', ended_because: 'revoked' })];
  await user.click(within(question).getByRole('button', { name: 'Revoke' }));
  await screen.findByText('Revoked on 30 November 2026');
  expect(sent[`DELETE ${LIST}/4`]).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Revoke Data warehouse' })).toBeNull();
});

it('a program that could not be revoked is still listed, with the reason', async () => {
  answer = rejectAs('program_not_found');
  const user = show([makeProgram()]);
  await user.click(await button('Revoke Data warehouse'));
  const question = await screen.findByRole('dialog', { name: 'Revoke Data warehouse?' });
  await user.click(within(question).getByRole('button', { name: 'Revoke' }));
  expect(await within(question).findByText(/This program has ended\. Load the page again\./)).toBeTruthy();
  expect(within(question).getByText(/The program has not been revoked\./)).toBeTruthy();
});

it('a program whose admin is no longer one is confirmed after a question', async () => {
  const user = show([makeProgram({ confirm_by: '2026-12-14T09:00:00.000Z' })]);
  const notice = 'Ben Hall is no longer an admin. This program ends on 14 December 2026 unless an admin confirms it.';
  await screen.findByText(notice);
  await user.click(await button('Confirm Data warehouse'));
  const question = await screen.findByRole('dialog', { name: 'Confirm Data warehouse?' });
  expect(question.textContent).toContain('It works until 1 February 2027, as before.');
  expect(sent[`POST ${LIST}/4/confirm`]).toBeUndefined();
  programs = [makeProgram({ responsible: { id: 3, name: 'Ada Okafor' } })];
  await user.click(within(question).getByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(screen.queryByText(notice)).toBeNull());
  expect(sent[`POST ${LIST}/4/confirm`]).toHaveLength(1);
  expect(await factOf('Data warehouse', 'Answers for it')).toBe('Ada Okafor');
});

it('the notice about a program names no admin whose name has been erased', async () => {
  show([makeProgram({ confirm_by: '2026-12-14T09:00:00.000Z', responsible: null })]);
  await screen.findByText(/^The admin who answered for it is no longer one\. This program ends on 14 December 2026/);
});

it('an admin without a second factor who confirms a program is led to add one', async () => {
  answer = rejectAs('program_needs_factor');
  const user = show([makeProgram({ confirm_by: '2026-12-14T09:00:00.000Z' })]);
  await user.click(await button('Confirm Data warehouse'));
  const question = await screen.findByRole('dialog', { name: 'Confirm Data warehouse?' });
  await user.click(within(question).getByRole('button', { name: 'Confirm' }));
  const link = await within(question).findByRole('link', { name: /Add a passkey or an authenticator app first/ });
  expect(link.getAttribute('href')).toBe('/account/security');
});

it('a school with as many programs as it can have revokes one before it adds another', async () => {
  show(Array.from({ length: MAX_PROGRAMS }, (_, index) => makeProgram({ id: index + 1, name: `Script ${index}` })));
  await screen.findByText('A school has at most 20 programs. To add another, revoke one that is no longer used.');
  expect(screen.queryByRole('button', { name: 'Add a program' })).toBeNull();
});

it('programs that have ended leave room for others', async () => {
  const user = show(
    Array.from({ length: MAX_PROGRAMS }, (_, index) =>
      makeProgram({ id: index + 1, ended_at: daysAgo(2), ended_because: 'revoked' }),
    ),
  );
  await user.click(await button('Add a program'));
  expect(await form()).toBeTruthy();
});
