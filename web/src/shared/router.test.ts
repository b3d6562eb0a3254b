// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest';
import { createMemoryRouter, getTarget, navigateTo } from './router.ts';

/** A router at `/pupils?page=2` whose screen `/classes` loads until `finishLoading`. */
function createRouter() {
  let finishLoading = (_value: null): void => undefined;
  const loading = new Promise<null>((resolve) => {
    finishLoading = resolve;
  });
  const router = createMemoryRouter(
    [
      { path: '/pupils', element: null },
      { path: '/classes', element: null, loader: () => loading },
    ],
    { initialEntries: ['/pupils?page=2'] },
  ).initialize();
  onTestFinished(() => router.dispose());
  return { router, finishLoading: () => finishLoading(null) };
}

it('the target of the router is the screen that it is opening, and before that its location', async () => {
  const { router, finishLoading } = createRouter();
  expect(getTarget(router)).toMatchObject({ pathname: '/pupils', search: '?page=2' });
  const opened = navigateTo(router, '/classes?sort=name#first');
  expect(getTarget(router)).toMatchObject({ pathname: '/classes', search: '?sort=name', hash: '#first' });
  expect(router.state.location.pathname).toBe('/pupils');
  finishLoading();
  await opened;
  expect(router.state.location).toMatchObject({ pathname: '/classes', search: '?sort=name', hash: '#first' });
});

it.each([
  ['/pupils?page=3', undefined, 'PUSH'],
  ['/pupils?page=3', true, 'REPLACE'],
  ['/pupils?page=2', undefined, 'REPLACE'],
  ['/pupils?page=2', false, 'PUSH'],
])('navigating from /pupils?page=2 to %s with replace: %s makes the history entry: %s', async (to, replace, action) => {
  const { router } = createRouter();
  await navigateTo(router, to, replace === undefined ? {} : { replace });
  expect(router.state.historyAction).toBe(action);
});

it('the scroll position is kept only where the navigation says so', async () => {
  const { router } = createRouter();
  await navigateTo(router, '/pupils?page=3', { preventScrollReset: true });
  expect(router.state.preventScrollReset).toBe(true);
  await navigateTo(router, '/pupils?page=4');
  expect(router.state.preventScrollReset).toBe(false);
});
