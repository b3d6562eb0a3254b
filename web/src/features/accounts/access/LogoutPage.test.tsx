// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { redirect } from '../../../shared/router.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { isLogOutPending } from '../../../shared/log-out-cookie.ts';
import { getSession, startSession } from '../../../shared/session.ts';
import { privateKey, readStored, store } from '../../../shared/storage.ts';
import { renderRoutes } from '../../../testing/render-in-app.tsx';
import { LogOutLink } from '../../../ui/LogOutForm.tsx';
import LogoutPage from './LogoutPage.tsx';

const ROUTES = [
  { path: '/', element: <LogOutLink /> },
  { path: '/logout', Component: LogoutPage },
  { path: '/login', element: <h1>Log in</h1> },
];
const STILL = 'You are still logged in on this device';
const fetched = vi.fn<typeof fetch>();
const answerDone = async () => new Response(null, { status: 204 });
const answerFailed = async () => new Response(null, { status: 502 });

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  fetched.mockReset();
  document.cookie = 'log-out=1; path=/; max-age=0';
  startSession({ id: 1 } as User);
});

async function pressLogOut() {
  const { user } = renderRoutes(ROUTES);
  await user.click(await screen.findByRole('button', { name: 'Log out' }));
  return user;
}

it('logging out ends the session in the browser at once, and goes to the login when the server has ended it', async () => {
  let answer = (_response: Response) => undefined as void;
  fetched.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const KEY = privateKey('names');
  store(KEY, ['Ada Finch']);
  await pressLogOut();
  await waitFor(() => expect(fetched).toHaveBeenCalledWith('/logout', expect.objectContaining({ method: 'POST' })));
  expect([getSession(), readStored(KEY), isLogOutPending()]).toEqual([null, null, true]);
  expect(screen.queryByRole('heading')).toBeNull();
  answer(await answerDone());
  await screen.findByRole('heading', { name: 'Log in' });
  expect(isLogOutPending()).toBe(false);
});

it.each([
  ['cannot be reached', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ['answers 502', answerFailed],
])('says that the user is still logged in when the server %s, and logs out with “Try again”', async (_what, fail) => {
  fetched.mockImplementation(fail);
  const user = await pressLogOut();
  await screen.findByRole('heading', { name: STILL });
  expect([getSession(), isLogOutPending()]).toEqual([null, true]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(fetched).toHaveBeenCalledTimes(2));
  expect(await screen.findByRole('alert')).toBeTruthy();
  fetched.mockImplementation(answerDone);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: 'Log in' });
});

it('a log out is sent by itself when the device is online again', async () => {
  fetched.mockImplementation(answerFailed);
  await pressLogOut();
  await screen.findByRole('heading', { name: STILL });
  fetched.mockImplementation(answerDone);
  window.dispatchEvent(new Event('online'));
  await screen.findByRole('heading', { name: 'Log in' });
});

it('a log out is sent when the device comes online while an attempt fails', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  fetched.mockImplementationOnce(async () => {
    onLine.mockReturnValue(true);
    throw new TypeError('Failed to fetch');
  });
  fetched.mockImplementation(answerDone);
  await pressLogOut();
  await screen.findByRole('heading', { name: 'Log in' });
  onLine.mockRestore();
});

it('a log out is not sent again once another tab has logged out, so that the next user stays logged in', async () => {
  fetched.mockImplementation(answerFailed);
  const user = await pressLogOut();
  await screen.findByRole('heading', { name: STILL });
  document.cookie = 'log-out=1; path=/; max-age=0';
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: 'Log in' });
  expect(fetched).toHaveBeenCalledTimes(1);
});

it('a log out is sent again when another tab has begun to log out meanwhile', async () => {
  fetched.mockImplementation(answerDone);
  const login = {
    path: '/login',
    loader: () => (fetched.mock.calls.length < 2 ? redirect('/logout') : null),
    element: <h1>Log in</h1>,
  };
  const { user } = renderRoutes([...ROUTES.slice(0, 2), login], '/');
  await user.click(await screen.findByRole('button', { name: 'Log out' }));
  await screen.findByRole('heading', { name: 'Log in' });
  expect(fetched).toHaveBeenCalledTimes(2);
});

it('/logout asks first when the browser opened the address, because a link on another site may lead to it', async () => {
  fetched.mockImplementation(answerDone);
  const { user } = renderRoutes(ROUTES, '/logout');
  const button = await screen.findByRole('button', { name: 'Log out' });
  expect([fetched.mock.calls.length, getSession()?.user.id]).toEqual([0, 1]);
  await user.click(button);
  await screen.findByRole('heading', { name: 'Log in' });
  expect(getSession()).toBeNull();
});

it('a log out that has not arrived is sent again without a question', async () => {
  fetched.mockImplementation(answerFailed);
  document.cookie = 'log-out=1; path=/';
  renderRoutes(ROUTES, '/logout');
  await screen.findByRole('heading', { name: STILL });
});
