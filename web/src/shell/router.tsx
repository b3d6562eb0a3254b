import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createBrowserRouter, Outlet, type RouteObject, ScrollRestoration } from 'react-router';
import { screens, type AppRoute } from '../routes.tsx';
import { endShortcutBuffer } from '../shared/key-buffer.ts';
import { CrashPage } from './CrashPage.tsx';
import { RouteGuard } from './RouteGuard.tsx';
import { loadScreen } from './load-screen.ts';
import { ImpersonationBanner } from './ImpersonationBanner.tsx';
import { LoadingBar } from './LoadingBar.tsx';
import { AppLayout } from './AppLayout.tsx';
import { GuestLayout } from './GuestLayout.tsx';
import { UpdateWatch } from './UpdateWatch.tsx';

const routesOf = (frame: AppRoute['frame'], client: QueryClient) =>
  screens
    .filter((screen) => screen.frame === frame)
    .map((screen): RouteObject => ({
      path: screen.path,
      handle: screen,
      // Beside the script of the page, which saves a round trip.
      loader: (visit) => loadScreen(screen, client, visit),
      // Another page or order of a table is the screen's own: it shows the old rows meanwhile.
      shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
      // The router waits for a page before it leaves the one before: no empty frame comes in between.
      lazy: async () => {
        const { default: Page } = await screen.load();
        return {
          element: (
            <RouteGuard screen={screen}>
              <Page />
            </RouteGuard>
          ),
        };
      },
    }));

function Root() {
  // Runs after the palette, which is drawn inside, has claimed its shortcut.
  useEffect(endShortcutBuffer, []);
  return (
    <>
      <LoadingBar />
      <Outlet />
      <ImpersonationBanner />
      <UpdateWatch />
      <ScrollRestoration />
    </>
  );
}

/** The router over the table of screens. */
export const createRouter = (client: QueryClient) =>
  createBrowserRouter([
    {
      element: <Root />,
      errorElement: <CrashPage />,
      hydrateFallbackElement: <LoadingBar />,
      children: [
        { element: <AppLayout />, children: routesOf('main', client) },
        { element: <GuestLayout />, children: routesOf('plain', client) },
      ],
    },
  ]);
