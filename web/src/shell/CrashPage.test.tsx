// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { act } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderRoutes } from '../testing/render-in-app.tsx';
import { createRoutes } from './router.tsx';

afterEach(() => void vi.restoreAllMocks());

/** The app with one screen, which breaks. */
function openBroken(error: Error) {
  // The router and React report what broke.
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined);
  localStorage.clear();
  const Broken = () => {
    throw error;
  };
  const routes = createRoutes(() => new QueryClient());
  const root = { ...routes[0]!, children: [{ path: '*', element: <Broken /> }] };
  const open = () => renderRoutes([root as (typeof routes)[0]]);
  return { open, reload };
}

it('a screen that throws is replaced by a page with a button to reload', async () => {
  const { open, reload } = openBroken(new Error('A bug'));
  const { user, getByRole, queryByText } = open();
  expect(getByRole('heading', { level: 1, name: 'An error occurred' })).toBeTruthy();
  expect(queryByText(/A bug/)).toBeNull();
  expect(reload).not.toHaveBeenCalled();
  await user.click(getByRole('button', { name: 'Reload the page' }));
  expect(reload).toHaveBeenCalledTimes(1);
});

it('reloads the page once when an update has removed its script', () => {
  const { open, reload } = openBroken(new TypeError('Failed to fetch dynamically imported module: /a.js'));
  const first = open();
  expect(reload).toHaveBeenCalledTimes(1);
  first.unmount();
  open();
  expect(reload).toHaveBeenCalledTimes(1);
});

it('a page whose script is missing offline reloads when the device is online again', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { open, reload } = openBroken(new TypeError('Failed to fetch dynamically imported module: /a.js'));
  const { getByRole } = open();
  expect(getByRole('heading', { level: 1, name: 'You are offline' })).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(reload).toHaveBeenCalledTimes(1);
});
