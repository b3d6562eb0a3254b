// @vitest-environment happy-dom
import { TextInput } from '../ui/Field.tsx';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { accessCalls } from '#contract/calls/access.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { call } from '../shared/api-client.ts';
import { loginDestination } from '../shared/end-at-login.ts';
import { hostLogInAgain, isLogInDialogOpen, onLeave } from '../shared/ended-session.ts';
import { endSession, getSession, startSession } from '../shared/session.ts';
import { useSchemaForm } from '../shared/use-schema-form.ts';
import { fakeApi, rejectWith } from '../testing/fake-api.ts';
import { makeUser, makeUserOfElm, makeUserOfTwo } from '../testing/make-school.ts';
import { renderInApp, signIn } from '../testing/render-in-app.tsx';
import { Form } from '../ui/Form.tsx';
import { useSelection } from '../ui/use-selection.ts';

const SAVE = 'POST /v1/enterprises/7/readers/2';
const LOG_IN = 'POST /v1/auth';
const ME = 'GET /v1/users/me';
const unauthorised = () => rejectWith(401, { error: 'Unauthorised', error_type: 'authentication' });

const toLogout = vi.fn<(reason?: string) => void>();
const toLogin = vi.fn<() => void>();
let isLoggedIn: boolean;
let sent: Record<string, unknown[]>;

function answerAs(user = makeUser(), replies: Parameters<typeof fakeApi>[0] = {}) {
  sent = fakeApi({
    [LOG_IN]: () => {
      isLoggedIn = true;
      return { user };
    },
    [SAVE]: () => (isLoggedIn ? { reader: { id: 2 } } : unauthorised()),
    [ME]: () => (isLoggedIn ? { user } : unauthorised()),
    ...replies,
  });
}

beforeEach(() => {
  vi.clearAllMocks();
  onLeave({ toLogout, toLogin });
  isLoggedIn = false;
  answerAs();
});

const rename = (name: string) => call(pupilCalls.renamePupil, { params: { id: 7, readerId: 2 }, body: { name } });
const schema = z.object({ name: z.string(), password: z.string() });

function Page({ save = (name: string): Promise<unknown> => rename(name) }) {
  const form = useSchemaForm({
    schema,
    initialValues: { name: '', password: '' },
    unsavedText: 'The name has not been saved yet.',
  });
  const selection = useSelection();
  return (
    <>
      <h1>Page</h1>
      <button type="button" onClick={() => selection.set([1], true)}>
        Tick
      </button>
      <Form form={form} onSubmit={form.onSubmit(({ name }) => save(name))}>
        <TextInput label="Name" {...form.field('name')} />
        <TextInput label="PIN" {...form.field('password')} />
        <button type="submit">Save</button>
      </Form>
    </>
  );
}

function open(page = <Page />) {
  signIn(makeUser());
  return renderInApp(page).user;
}

type Simulated = ReturnType<typeof open>;

const type = (user: Simulated, text: string) => user.type(screen.getByRole('textbox', { name: 'Name' }), text);
const save = (user: Simulated) => user.click(screen.getByRole('button', { name: 'Save' }));
const findDialog = () => screen.findByRole('dialog', { name: 'Log in again' });
const queryDialog = () => screen.queryByRole('dialog', { name: 'Log in again' });

async function logIn(user: Simulated) {
  const dialog = within(await findDialog());
  await user.type(dialog.getByLabelText('Password'), 'reading-1');
  await user.click(dialog.getByRole('button', { name: 'Log in' }));
}

it('asks the user to log in again while something is typed, and then saves it', async () => {
  const user = open();
  await type(user, 'Amara');
  await save(user);
  const email = within(await findDialog()).getByLabelText<HTMLInputElement>('Email');
  expect([email.value, email.readOnly]).toEqual(['ada@school.example', true]);
  const { key } = getSession()!;
  await logIn(user);
  await waitFor(() => expect(sent[SAVE]).toEqual([{ name: 'Amara' }, { name: 'Amara' }]));
  await waitFor(() => expect(queryDialog()).toBeNull());
  expect(sent[LOG_IN]).toEqual([{ email: 'ada@school.example', password: 'reading-1' }]);
  expect(getSession()?.key).toBe(key);
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Amara');
  expect(toLogout).not.toHaveBeenCalled();
});

it('an ended session asks the user once to log in for several calls, and then repeats each', async () => {
  const user = open(<Page save={() => Promise.all([rename('Amara'), rename('Bea'), call(accessCalls.getMe)])} />);
  await type(user, 'Amara');
  await save(user);
  await logIn(user);
  await waitFor(() => expect(queryDialog()).toBeNull());
  await waitFor(() => expect([sent[SAVE]?.length, sent[ME]?.length]).toEqual([4, 2]));
  expect(sent[LOG_IN]).toHaveLength(1);
});

it('the form reports a second 401 instead of asking the user to log in for ever', async () => {
  answerAs(makeUser(), { [SAVE]: unauthorised });
  const user = open();
  await type(user, 'Amara');
  await save(user);
  await logIn(user);
  expect((await screen.findByRole('alert')).textContent).toContain('Your session has ended.');
  expect(queryDialog()).toBeNull();
  expect(sent[SAVE]).toHaveLength(2);
});

it('the page stays when the user closes the login dialog, which opens again at the next save', async () => {
  const user = open();
  await type(user, 'Amara');
  await save(user);
  await user.click(within(await findDialog()).getByRole('button', { name: 'Cancel' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Your session has ended.');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Amara');
  await expect(call(accessCalls.getMe)).rejects.toMatchObject({ status: 401 });
  expect(isLogInDialogOpen()).toBe(false);
  await save(user);
  await logIn(user);
  await waitFor(() => expect(sent[SAVE]).toHaveLength(3));
});

it('a background call does not interrupt a user who is typing; the login dialog opens at the next click', async () => {
  const user = open();
  await type(user, 'Ama');
  const background = call(accessCalls.getMe);
  await waitFor(() => expect(sent[ME]).toHaveLength(1));
  await user.keyboard('ra');
  expect(queryDialog()).toBeNull();
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Amara');
  await user.click(screen.getByRole('heading', { name: 'Page' }));
  await logIn(user);
  expect(await background).toMatchObject({ user: { id: 3 } });
  expect(toLogout).not.toHaveBeenCalled();
});

it('a background call opens the login dialog at once when rows are ticked and nothing is being typed', async () => {
  const user = open();
  await user.click(screen.getByRole('button', { name: 'Tick' }));
  const background = call(accessCalls.getMe);
  await logIn(user);
  expect(await background).toMatchObject({ user: { id: 3 } });
});

it('an ended session leads to /logout with the reason when nothing is typed, ticked or open', async () => {
  isLoggedIn = true;
  open();
  await call(accessCalls.getMe);
  isLoggedIn = false;
  await expect(call(accessCalls.getMe)).rejects.toMatchObject({ status: 401 });
  expect(toLogout.mock.calls).toEqual([['session-ended']]);
  expect(queryDialog()).toBeNull();
});

it('the login dialog takes the second factor', async () => {
  const secondFactor = { token: 'step-1', methods: ['authenticator'] };
  answerAs(makeUser(), {
    [LOG_IN]: () =>
      rejectWith(401, { error: 'One more step', code: 'second_factor_required', second_factor: secondFactor }),
    'POST /v1/auth/factor': () => {
      isLoggedIn = true;
      return { user: makeUser() };
    },
  });
  const user = open();
  await type(user, 'Amara');
  await save(user);
  await logIn(user);
  const dialog = within(await screen.findByRole('dialog', { name: 'One more step' }));
  await user.type(dialog.getByLabelText('Code'), '123456');
  await user.click(dialog.getByRole('button', { name: 'Log in' }));
  await waitFor(() => expect(sent[SAVE]).toHaveLength(2));
  expect(sent['POST /v1/auth/factor']).toEqual([{ token: 'step-1', code: '123456' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('the page continues when the user logs in again in another tab', async () => {
  const user = open();
  await type(user, 'Amara');
  await save(user);
  await findDialog();
  isLoggedIn = true;
  localStorage.setItem('portal.session', JSON.stringify({ key: 'another', user: makeUser() }));
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'portal.session' })));
  await waitFor(() => expect(sent[SAVE]).toHaveLength(2));
  expect(queryDialog()).toBeNull();
});

it.each([
  ['another user logs in', () => startSession(makeUser({ id: 4, enterprise_id: 8 }))],
  ['the user logs out', endSession],
])('makes no call again when %s', async (_when, change) => {
  const user = open();
  await type(user, 'Amara');
  await save(user);
  await findDialog();
  isLoggedIn = true;
  act(change);
  await waitFor(() => expect(queryDialog()).toBeNull());
  isLoggedIn = true;
  startSession(makeUser({ id: 4 }));
  await call(accessCalls.getMe);
  expect(sent[SAVE]).toHaveLength(1);
});

it('stores a draft without passwords and opens the login page when the script of the dialog cannot be loaded', async () => {
  const user = open();
  hostLogInAgain({ loadDialog: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')) });
  await type(user, 'Amara');
  await user.type(screen.getByRole('textbox', { name: 'PIN' }), 'secret-1');
  await save(user);
  await waitFor(() => expect(toLogin).toHaveBeenCalledTimes(1));
  const stored = JSON.stringify({ ...sessionStorage });
  expect(stored).toContain('Amara');
  expect(stored).not.toContain('secret-1');
  const closing = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(false);
});

it('the page stays when the login dialog cannot be loaded and a draft would lose the ticks', async () => {
  const user = open();
  hostLogInAgain({ loadDialog: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')) });
  await type(user, 'Amara');
  await user.click(screen.getByRole('button', { name: 'Tick' }));
  await save(user);
  expect((await screen.findByRole('alert')).textContent).toContain('Log in again, in another tab if you like');
  expect(toLogin).not.toHaveBeenCalled();
});

const SWITCH = 'POST /v1/users/me/enterprise';

it('returns to the school of the page before it saves, when the login leads to another', async () => {
  const schools: (string | null)[] = [];
  answerAs(makeUserOfElm(), { [SWITCH]: () => ({ user: makeUserOfTwo() }) });
  const others = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    schools.push(new Headers(init.headers).get('Portal-School'));
    return others(url, init);
  });
  signIn(makeUserOfTwo());
  const { user } = renderInApp(<Page />);
  await type(user, 'Amara');
  await save(user);
  await logIn(user);
  await waitFor(() => expect(sent[SAVE]).toEqual([{ name: 'Amara' }, { name: 'Amara' }]));
  expect(sent[SWITCH]).toEqual([{ enterprise_id: 7 }]);
  expect(schools.at(-1)).toBe('7');
  expect(getSession()?.user.enterprise_id).toBe(7);
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Amara');
});

it('a user who no longer works at the school of the page starts in the other one, and nothing is saved', async () => {
  answerAs(makeUserOfElm(), { [SWITCH]: () => rejectWith(404, { error: 'Not yours', error_type: 'not_found' }) });
  signIn(makeUserOfTwo());
  const { key } = getSession()!;
  const { user } = renderInApp(<Page />);
  await type(user, 'Amara');
  await save(user);
  await logIn(user);
  await waitFor(() => expect(getSession()?.user.enterprise_id).toBe(8));
  expect(getSession()?.key).not.toBe(key);
  expect(sent[SAVE]).toHaveLength(1);
});

it('a login in another tab that leads to another school leaves the page in its own', async () => {
  signIn(makeUserOfTwo());
  const { user } = renderInApp(<Page />);
  await type(user, 'Amara');
  await save(user);
  await findDialog();
  isLoggedIn = true;
  localStorage.setItem('portal.session', JSON.stringify({ key: 'another', user: makeUserOfElm() }));
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'portal.session' })));
  await waitFor(() => expect(sent[SAVE]).toHaveLength(2));
  expect(queryDialog()).toBeNull();
  expect(getSession()?.user.enterprise_id).toBe(7);
});

it('a supply teacher whose cover has ended gets no dialog, because they have no password', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  onTestFinished(() => assign.mockRestore());
  signIn(makeUser({ role: 'supply_teacher', enterprise_user_role: 'teacher', email: '' }));
  const { user } = renderInApp(<Page />);
  await user.type(screen.getByLabelText('Name'), 'Ann');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(getSession()).toBeNull());
  expect([loginDestination(), assign.mock.calls]).toEqual([
    '/supply?action=cover-ended',
    [['/supply?action=cover-ended']],
  ]);
  expect([screen.queryByRole('dialog'), toLogout.mock.calls]).toEqual([null, []]);
});
