import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef } from 'react';
import {
  createBrowserRouter,
  type LoaderFunctionArgs,
  matchRoutes,
  Outlet,
  redirectDocument,
  type RouteObject,
  ScrollRestoration,
  useLocation,
} from '../shared/router.ts';
import { guestPaths } from '../guest-paths.ts';
import { screens, type AppRoute } from '../routes.tsx';
import { clearAnnouncements } from '../shared/announcements.ts';
import { loginDestination } from '../shared/end-at-login.ts';
import { endHydration } from '../shared/page-scope.ts';
import { getSession } from '../shared/session.ts';
import { CrashPage } from './CrashPage.tsx';
import { RouteGuard } from './RouteGuard.tsx';
import { loadScreen, visitorOf } from './load-screen.ts';
import { ImpersonationBanner } from './ImpersonationBanner.tsx';
import { LoadingBar } from './LoadingBar.tsx';
import { AppLayout } from './AppLayout.tsx';
import { GuestLayout } from './GuestLayout.tsx';
import { preloadLinks } from './preload-links.ts';
import { UpdateWatch } from './UpdateWatch.tsx';

declare global {
  interface Window {
    /** Shows the font that arrived too late for the first screen. Absent in a browser that is too old. */
    showFont?: () => void;
  }
}

const routesOf = (frame: AppRoute['frame'], client: () => QueryClient) =>
  screens
    .filter((screen) => screen.frame === frame)
    .map((screen): RouteObject => ({
      id: screen.path,
      path: screen.path,
      handle: screen,
      // Beside the script of the page, which saves a round trip.
      loader: (visit) => loadScreen(screen, client(), visit),
      // A table fetches another page or order itself and shows the old rows meanwhile. An unchanged URL means that the user has changed.
      shouldRevalidate: ({ currentUrl, nextUrl }) =>
        currentUrl.pathname !== nextUrl.pathname || currentUrl.href === nextUrl.href,
      // The router waits for a page before it leaves the one before: no empty frame comes in between.
      lazy: () => elementOf(screen),
    }));

async function elementOf(screen: AppRoute) {
  const { default: Page } = await screen.load();
  return {
    element: (
      <RouteGuard screen={screen}>
        <Page />
      </RouteGuard>
    ),
  };
}

function Root() {
  useEffect(endHydration, []);
  const { pathname } = useLocation();
  const firstPathname = useRef(pathname);
  useLayoutEffect(() => {
    if (pathname !== firstPathname.current) window.showFont?.();
    clearAnnouncements();
  }, [pathname]);
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

/** The table of screens as the router takes it. The client is asked for at each use: on the server it is a request's. */
export const createRoutes = (client: () => QueryClient): RouteObject[] => [
  {
    element: <Root />,
    errorElement: <CrashPage />,
    hydrateFallbackElement: <LoadingBar />,
    children: [
      { element: <AppLayout />, children: routesOf('main', client) },
      { element: <GuestLayout />, children: routesOf('plain', client) },
      // A page without the app, which the browser loads.
      ...guestPaths.map((path) => ({
        path,
        loader: ({ request }: LoaderFunctionArgs) => redirectDocument(loginDestination() ?? request.url),
      })),
    ],
  },
];

/** The browser's router. On a server-rendered page it starts with the screen loaded, as the server did. */
export async function createRouter(client: QueryClient, isServerRendered: boolean) {
  const routes = createRoutes(() => client);
  preloadLinks(routes, client);
  if (!isServerRendered) return createBrowserRouter(routes);
  const match = matchRoutes(routes, window.location)?.at(-1)?.route;
  if (match) {
    Object.assign(match, await elementOf(match.handle as AppRoute));
    delete match.lazy;
  }
  // The loader has run on the server.
  const loaderData = match?.id ? { [match.id]: visitorOf(getSession()) } : {};
  return createBrowserRouter(routes, { hydrationData: { loaderData } });
}
