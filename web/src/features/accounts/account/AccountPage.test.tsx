// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser, makeUserOfTwo } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import AccountPage from './AccountPage.tsx';

it('shows “Duplicate email” once in the summary, as a link to the field, and once at the field', async () => {
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'POST /v1/users/me': () =>
      rejectWith(400, {
        error: 'Duplicate email',
        error_type: 'bad_request',
        code: 'duplicate_email',
        errors: { email: ['Duplicate email'] },
      }),
  });
  const { user } = renderRoutes([{ path: '/account', Component: AccountPage }], '/account');
  const address = await screen.findByLabelText('Email');
  await user.clear(address);
  await user.type(address, 'taken@school.example');
  await user.type(await screen.findByLabelText('Current password'), 'reading-1');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  const summary = await screen.findByRole('alert');
  expect(within(summary).getAllByText('Duplicate email')).toHaveLength(1);
  expect(within(summary).getByRole('link', { name: 'Duplicate email' }).getAttribute('href')).toBe('#email');
  expect(screen.getAllByText('Duplicate email')).toHaveLength(2);
});

it('keeps letters that are typed while the details are being saved', async () => {
  signIn(makeUser({ first_name: 'Ada', last_name: 'Okafor' }));
  let answer: (reply: object) => void = () => undefined;
  const saving = new Promise<object>((resolve) => (answer = resolve));
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  const others = fetch;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) =>
    init?.method === 'POST' ? Response.json(await saving) : others(url, init),
  );
  const { user } = renderRoutes([{ path: '/account', Component: AccountPage }], '/account');
  const first = await screen.findByLabelText('First name');
  await user.clear(first);
  await user.type(first, ' Grace ');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await user.type(screen.getByLabelText('Last name'), '-Bell');
  answer({ user: makeUser({ first_name: 'Grace', last_name: 'Okafor' }) });
  await screen.findByText('Details saved');
  expect(screen.getByLabelText('First name')).toHaveProperty('value', 'Grace');
  expect(screen.getByLabelText('Last name')).toHaveProperty('value', 'Okafor-Bell');
  // They have not been saved.
  const closing = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(true);
});

const SAVE = 'POST /v1/users/me';

it.each([
  ['First name', ''],
  ['First name', 'Q'],
  ['Last name', ''],
  ['Last name', 'Q'],
  ['Email', ''],
  ['Email', 'ada at school'],
  ['Password (optional)', 'sixsix'],
])('marks the field %s and saves nothing while the text is %j', async (label, text) => {
  signIn(makeUser());
  const sent = fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  const { user } = renderRoutes([{ path: '/account', Component: AccountPage }], '/account');
  const field = await screen.findByLabelText(label);
  await user.clear(field);
  if (text !== '') await user.type(field, text);
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(sent[SAVE]).toBeUndefined();
});

it('sends the names, email and digest of the form, and a password only when one is typed', async () => {
  signIn(makeUser({ weekly_school_digest_optin_at: null }));
  const saved = makeUser({ first_name: 'Al', last_name: 'Ox' });
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    [SAVE]: () => ({ user: saved }),
  });
  const { user } = renderRoutes([{ path: '/account', Component: AccountPage }], '/account');
  const type = async (label: string, text: string) => {
    await user.clear(await screen.findByLabelText(label));
    await user.type(screen.getByLabelText(label), text);
  };
  await type('First name', 'Al');
  await type('Last name', 'Ox');
  await user.click(screen.getByRole('checkbox', { name: /weekly school digest/ }));
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  const body = { first_name: 'Al', last_name: 'Ox', email: 'ada@school.example', weekly_school_digest_optin: true };
  await waitFor(() => expect(sent[SAVE]).toEqual([body]));
  await screen.findByText('Details saved');
  await type('Password (optional)', 'sevenup');
  await type('Current password', 'reading-1');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(sent[SAVE]?.[1]).toEqual({ ...body, password: 'sevenup', current_password: 'reading-1' }));
});

it.each([
  ['Duplicate email', 400],
  ['Details incorrect', 404],
  ['Details incorrect', 409],
  ['Details incorrect', 422],
  ['Details incorrect', 500],
])('shows “%s” when the server answers %i, whatever the text of the reply', async (text, status) => {
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'POST /v1/users/me': () => rejectWith(status, { error: 'Another text', error_type: 'bad_request' }),
  });
  const { user } = renderRoutes([{ path: '/account', Component: AccountPage }], '/account');
  await user.click(await screen.findByRole('button', { name: 'Submit' }));
  await within(await screen.findByRole('alert')).findByText(text);
  expect(screen.queryByText('Details saved')).toBeNull();
});

it('shows the text for a lost connection when the details do not reach the server', async () => {
  signIn(makeUser());
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  const others = fetch;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.method === 'POST') throw new TypeError('Failed to fetch');
    return others(url, init);
  });
  const { user } = renderRoutes([{ path: '/account', Component: AccountPage }], '/account');
  await user.click(await screen.findByRole('button', { name: 'Submit' }));
  await within(await screen.findByRole('alert')).findByText(/^Error: Network Error/);
  expect(screen.queryByText('Details incorrect')).toBeNull();
});

it('“Edit Details” has the user’s names, email, password and digest, and sends the digest when it is ticked', async () => {
  const person = makeUser({ weekly_school_digest_optin_at: null });
  signIn(person);
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'POST /v1/users/me': () => ({ user: person }),
  });
  const { user } = renderRoutes([{ path: '/account', Component: AccountPage }], '/account');
  await screen.findByRole('heading', { level: 1, name: 'Edit Details' });
  const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
  expect(['First name', 'Last name', 'Email', 'Password (optional)'].map(valueOf)).toEqual([
    'Ada',
    'Okafor',
    'ada@school.example',
    '',
  ]);
  const digest = screen.getByRole('checkbox', { name: 'Send me the weekly school digest' });
  expect(digest).toHaveProperty('checked', false);
  await user.click(digest);
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await screen.findByText('Details saved');
  expect(sent['POST /v1/users/me']).toEqual([
    { first_name: 'Ada', last_name: 'Okafor', email: 'ada@school.example', weekly_school_digest_optin: true },
  ]);
});

it.each([
  ['of several schools', makeUserOfTwo(), 1],
  ['of one school', makeUser(), 0],
])('the details of a user %s link to their schools where there are several', async (_who, person, links) => {
  signIn(person);
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  renderRoutes([{ path: '/account', Component: AccountPage }], '/account');
  await screen.findByRole('link', { name: 'Security' });
  expect(screen.queryAllByRole('link', { name: 'Your schools' })).toHaveLength(links);
});

it('deleting the account of a person of two schools names both', async () => {
  signIn(makeUserOfTwo());
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  const { user } = renderRoutes([{ path: '/account', Component: AccountPage }], '/account');
  await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
  expect(await screen.findByText('Your account ends at each of your schools: Elm Street and Oak Row.')).toBeTruthy();
});

it.each([
  ['teacher', true],
  ['teaching_assistant', false],
  ['business_manager', false],
  ['data_protection_officer', false],
] as const)('offers the weekly digest to the role %s: %s', async (role, isOffered) => {
  signIn(makeUser({ enterprise_user_role: 'teacher', role }));
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  renderRoutes([{ path: '/account', Component: AccountPage }], '/account');
  await screen.findByLabelText('First name');
  expect(screen.queryByRole('checkbox', { name: /weekly school digest/ }) !== null).toBe(isOffered);
});
