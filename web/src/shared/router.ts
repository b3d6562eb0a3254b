/*
 * The only module that imports the router, so that an upgrade breaks in one place. Its types mark the router object's
 * `state` and `navigate` as private.
 */
import { createContext, createElement } from 'react';
import type { DataRouter, Location } from 'react-router';
import { RouterProvider as DataRouterProvider } from 'react-router/dom';

export {
  createBrowserRouter,
  createMemoryRouter,
  createStaticHandler,
  createStaticRouter,
  type DataRouter,
  type LoaderFunctionArgs,
  matchPath,
  matchRoutes,
  Navigate,
  NavigationType,
  Outlet,
  redirect,
  redirectDocument,
  type RouteObject,
  ScrollRestoration,
  StaticRouter,
  StaticRouterProvider,
  useBlocker,
  useLoaderData,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  useNavigationType,
  useParams,
  useRevalidator,
  useRouteError,
  useSearchParams,
} from 'react-router';

/** The router of the page; null on the server, which follows no links. */
export const RouterContext = createContext<DataRouter | null>(null);

/** Renders the router's current screen. */
export const RouterProvider = ({ router }: { router: DataRouter }) =>
  createElement(RouterContext, { value: router }, createElement(DataRouterProvider, { router }));

type RouterState = Pick<DataRouter, 'state'>;

/** The location that the router is navigating to, or has reached. */
export const getTarget = ({ state }: RouterState): Location => state.navigation.location ?? state.location;

interface NavigateOptions {
  /** Replaces the entry in the browser's history. By default only a link to the current URL does. */
  replace?: boolean | undefined;
  /** Keeps the scroll position. */
  preventScrollReset?: boolean | undefined;
}

/** Navigates to a path of the app, with its query and fragment. Resolves when its screen is shown. */
export function navigateTo(router: Pick<DataRouter, 'navigate' | 'state'>, to: string, options: NavigateOptions = {}) {
  const { pathname, search, hash } = router.state.location;
  return router.navigate(to, { replace: to === pathname + search + hash, ...options });
}
