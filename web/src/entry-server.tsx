import { AsyncLocalStorage } from 'node:async_hooks';
import { dehydrate, type Query, type QueryClient } from '@tanstack/react-query';
import {
  createStaticHandler,
  createStaticRouter,
  matchPath,
  StaticRouter,
  StaticRouterProvider,
} from './shared/router.ts';
import { accessCalls } from '#contract/calls/access.ts';
import type { GuestDocument, GuestPage, PageContent, PageRenderer, RenderedPage } from '#contract/pages.ts';
import { meQuery } from './features/accounts/access/access.public.ts';
import { schoolQuery } from './features/school/school/school.public.ts';
import { guestPaths } from './guest-paths.ts';
import { guestScreens } from './guest-screens.tsx';
import { type AppRoute, screens } from './routes.tsx';
import { ApiError } from './shared/api-error.ts';
import { call } from './shared/api-client.ts';
import { guard } from './shared/guard.ts';
import { getSession } from './shared/session.ts';
import { type PageScope, providePageScope } from './shared/page-scope.ts';
import { writePageState } from './shared/page-state.ts';
import { HAS_SERVER_RENDERING, PRODUCT_NAME } from './shared/product.ts';
import { renderHtml } from './shared/render-html.ts';
import { App } from './shell/App.tsx';
import { FilePage } from './shell/FilePage.tsx';
import { GuestLayout } from './shell/GuestLayout.tsx';
import type { GuestReply } from './shell/guest-screen.ts';
import { createQueryClient } from './shell/query-client.ts';
import { createRoutes } from './shell/router.tsx';
import { UnavailablePage } from './shell/UnavailablePage.tsx';

/** The title of a page that the browser renders. */
const PRODUCT_TITLE = PRODUCT_NAME.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Everything that belongs to one request. */
interface Scope extends PageScope {
  client: QueryClient;
}
const scopes = new AsyncLocalStorage<Scope>();
providePageScope(() => scopes.getStore());

const currentClient = (): QueryClient => {
  const scope = scopes.getStore();
  if (!scope) throw new Error('A page was rendered outside a request.');
  return scope.client;
};
const handler = createStaticHandler(createRoutes(currentClient));

const screenOf = (pathname: string) => screens.find(({ path }) => path === '*' || matchPath(path, pathname));

/** The source of the screen at a URL, as the manifest of the browser's build names it. */
const moduleOf = async (pathname: string): Promise<string | undefined> => (await screenOf(pathname)?.load())?.moduleId;

const guestPathOf = (pathname: string) => guestPaths.find((path) => matchPath(path, pathname));

export const patternOf: PageRenderer['patternOf'] = (pathname) =>
  guestPathOf(pathname) ?? screenOf(pathname)?.path ?? '*';

export const isDocument: PageRenderer['isDocument'] = (pathname) => guestPathOf(pathname) !== undefined;

export const formPaths: PageRenderer['formPaths'] = guestPaths.filter((path) => guestScreens[path].post);

const rejectCall = () => Promise.reject(new Error('This page makes no calls.'));

/** Runs the task with the store of one request. */
const runInScope = <T,>(request: Partial<PageScope>, task: () => Promise<T>): Promise<T> =>
  scopes.run({ cookies: '', fetch: rejectCall, now: 0, ...request, user: null, client: createQueryClient() }, task);

export const renderPage: PageRenderer['renderPage'] = ({ url, ...request }) =>
  runInScope(request, () => renderForUser(url));

export const renderGuestPage: PageRenderer['renderGuestPage'] = ({ url, ...request }) =>
  isDocument(locationOf(url).pathname)
    ? runInScope(request, () => renderDocument(url))
    : runInScope({ now: request.now }, () => renderForGuest(url));

export const submitForm: PageRenderer['submitForm'] = ({ url, ...request }, form) =>
  runInScope(request, async () => {
    // A form may come from a visitor whose session the server cannot look up now: its own call says so.
    await findUser().catch(() => undefined);
    return renderDocument(url, new URLSearchParams(form));
  });

export const renderUnavailablePage: PageRenderer['renderUnavailablePage'] = (isBusy) =>
  runInScope({}, () => render(<UnavailablePage isBusy={isBusy} />));

export const renderFilePage: PageRenderer['renderFilePage'] = (failure) =>
  runInScope({}, () => render(<FilePage {...failure} />));

const locationOf = (url: string): URL => new URL(`http://portal.invalid${url}`);

/** Loads the visitor; a guest has no user. */
async function findUser(): Promise<void> {
  const scope = scopes.getStore()!;
  try {
    scope.user = (await call(accessCalls.getMe)).user;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
}

/** The screen's reply, unless the API cannot answer one of its calls. */
async function answer(work: () => GuestReply | Promise<GuestReply>): Promise<GuestReply | { kind: 'unavailable' }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.status >= 500) return { kind: 'unavailable' };
    throw error;
  }
}

/** Renders a page without the app, or sends its form. */
async function renderDocument(url: string, form?: URLSearchParams): Promise<GuestDocument> {
  const { pathname, search, searchParams: query } = locationOf(url);
  const path = guestPathOf(pathname)!;
  const screen = guestScreens[path];
  const { user, kept = {} } = scopes.getStore()!;
  const elsewhere = form ? null : guard(screen, { pathname, search }, getSession());
  const visit = { url, params: matchPath(path, pathname)!.params, query, user, kept };
  if (elsewhere !== null) return { kind: 'redirect', to: (user && screen.whenSignedIn?.(user, visit)) ?? elsewhere };
  const reply = await answer(() => (form ? screen.post!(visit, form) : screen.load(visit)));
  if (reply.kind !== 'page') return reply;
  const { content, status = 200, ...rest } = reply;
  const frame = <GuestLayout>{content}</GuestLayout>;
  const page = await render(<StaticRouter location={url}>{frame}</StaticRouter>);
  return {
    ...rest,
    ...page,
    kind: 'document',
    status,
    isSignedIn: user !== null,
    description: screen.description ?? '',
  };
}

async function renderForGuest(url: string): Promise<GuestPage> {
  const location = locationOf(url);
  const description = screenOf(location.pathname)?.description ?? '';
  const page = {
    kind: 'page' as const,
    title: PRODUCT_TITLE,
    html: '',
    module: await moduleOf(location.pathname),
    description,
  };
  if (!HAS_SERVER_RENDERING) return page;
  const context = await handler.query(new Request(location));
  if (context instanceof Response) return { kind: 'redirect', to: context.headers.get('Location') ?? '/' };
  try {
    const router = createStaticRouter(handler.dataRoutes, context);
    const { title, html } = await render(<StaticRouterProvider router={router} context={context} hydrate={false} />);
    return { ...page, html, ...(title && { title }) };
  } catch (error) {
    return { ...page, error };
  }
}

async function renderForUser(url: string): Promise<RenderedPage> {
  const scope = scopes.getStore()!;
  const location = locationOf(url);
  try {
    await findUser();
  } catch {
    return { kind: 'unavailable' };
  }
  const { client, user } = scope;
  if (!user) return { kind: 'guest' };
  if (isDocument(location.pathname)) return renderDocument(url);
  client.setQueryData(meQuery().queryKey, { user });

  const context = await handler.query(new Request(location));
  if (context instanceof Response) return { kind: 'redirect', to: context.headers.get('Location') ?? '/' };
  const { enterprise_id: schoolId } = user;
  const school = schoolId === null ? undefined : client.getQueryState(schoolQuery(schoolId).queryKey);
  if (school?.error instanceof ApiError && school.error.status >= 500) return { kind: 'unavailable' };

  const queries = dehydrate(client, {
    shouldDehydrateQuery: ({ queryKey, state }) => state.status !== 'pending' && queryKey[0] !== accessCalls.getMe.path,
    shouldRedactErrors: () => false,
  });
  const screen = context.matches.at(-1)!.route.handle as AppRoute;
  const page = {
    kind: 'page' as const,
    state: writePageState({ user, renderedAt: scope.now, queries }),
    module: (await screen.load()).moduleId,
    isMissing: screen.path.includes(':') && client.getQueryCache().getAll().some(isNotFound),
  };
  try {
    const router = createStaticRouter(handler.dataRoutes, context);
    return { ...page, ...(await render(<StaticRouterProvider router={router} context={context} hydrate={false} />)) };
  } catch (error) {
    // The browser renders a screen that the server cannot render, and shows the error in its place.
    return { ...page, title: PRODUCT_TITLE, html: '', error };
  } finally {
    client.clear();
  }
}

const isNotFound = ({ state: { error } }: Query): boolean => error instanceof ApiError && error.status === 404;

async function render(content: React.ReactNode): Promise<PageContent> {
  const rendered = await renderHtml(<App client={currentClient()}>{content}</App>);
  const [, title = PRODUCT_NAME] = /<title>(.*?)<\/title>/.exec(rendered) ?? [];
  return { title, html: rendered.replace(/<title>.*?<\/title>/, '') };
}
