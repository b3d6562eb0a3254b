import type { QueryClient } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import {
  createMemoryRouter,
  type LoaderFunctionArgs,
  matchPath,
  RouterProvider,
  type RouteObject,
} from '../shared/router.ts';
import { onTestFinished } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { screens } from '../routes.tsx';
import { endSession, getSession, startSession } from '../shared/session.ts';
import { resetForSession } from '../shared/session-reset.ts';
import { App } from '../shell/App.tsx';
import { prefetchQueries } from '../shell/load-screen.ts';
import { createQueryClient } from '../shell/query-client.ts';

/**
 * Renders an element in the app until the test ends. With a URL the queries of its screen are prefetched. Returns the
 * page's queries and a simulated user.
 */
export function renderInApp(element: ReactNode, url?: string) {
  return renderRoutes([{ path: '*', element }], url);
}

/** Fetches the queries that the screen at the URL declares, as its loader does. */
async function loadQueries(client: QueryClient, { pathname, searchParams }: URL): Promise<null> {
  const user = getSession()?.user;
  const screen = screens.find(({ path }) => path !== '*' && matchPath(path, pathname));
  if (screen && user?.enterprise_id) {
    const { params = {} } = matchPath(screen.path, pathname) ?? {};
    await prefetchQueries(screen, client, { user, schoolId: user.enterprise_id, params, query: searchParams });
  }
  return null;
}

/** Renders routes in the app. */
export function renderRoutes(routes: RouteObject[], url?: string) {
  onTestFinished(() => {
    cleanup();
    // A login on the page has begun a session, which the next file of this worker would have too.
    endSession();
    // A guest's page has announcements and toasts too.
    resetForSession(null);
  });
  const user = userEvent.setup();
  const client = createQueryClient();
  const loader = ({ request }: LoaderFunctionArgs) => loadQueries(client, new URL(request.url));
  const router = createMemoryRouter(
    url === undefined || !getSession()
      ? routes
      : routes.map((route) => ({ loader, hydrateFallbackElement: <></>, ...route })),
    { initialEntries: [url ?? '/'] },
  );
  const page = render(
    <App client={client}>
      <RouterProvider router={router} />
    </App>,
  );
  return { user, ...page };
}

/** Signs a user in until the test ends. Call it before rendering, so that the page is removed before the session ends. */
export function signIn(user: User): void {
  onTestFinished(endSession);
  startSession(user);
}
