import { QueryClient } from '@tanstack/react-query';
import { cleanup, configure, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router';
import { onTestFinished } from 'vitest';
import { App } from '../shell/App.tsx';

// A busy machine fails no test.
configure({ asyncUtilTimeout: 60_000 });

/** Draws a component as the app does, at an address, until the test is over. Answers the queries of the page, and a person's hands. */
export function renderInApp(element: ReactNode, address = '/') {
  return renderRoutes([{ path: '*', element }], address);
}

/** The same with routes of its own. */
export function renderRoutes(routes: RouteObject[], address = '/') {
  onTestFinished(cleanup);
  const user = userEvent.setup();
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  const page = render(
    <App client={new QueryClient()}>
      <RouterProvider router={router} />
    </App>,
  );
  return { user, ...page };
}
