import { AsyncLocalStorage } from 'node:async_hooks';
import { Writable } from 'node:stream';
import { dehydrate, type Query, type QueryClient } from '@tanstack/react-query';
import { renderToPipeableStream } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, matchPath, StaticRouterProvider } from './shared/router.ts';
import { accessCalls } from '#contract/calls/access.ts';
import { meQuery } from './features/accounts/access/access.public.ts';
import { schoolQuery } from './features/school/school/school.public.ts';
import { screens } from './routes.tsx';
import { ApiError } from './shared/api-error.ts';
import { call } from './shared/api-client.ts';
import { type PageScope, providePageScope } from './shared/page-scope.ts';
import { writePageState } from './shared/page-state.ts';
import { HAS_SERVER_RENDERING, PRODUCT_NAME } from './shared/product.ts';
import { App } from './shell/App.tsx';
import { FilePage, type FileFailure } from './shell/FilePage.tsx';
import { createQueryClient } from './shell/query-client.ts';
import { createRoutes } from './shell/router.tsx';
import { UnavailablePage } from './shell/UnavailablePage.tsx';

/** A request for a page. */
export interface PageRequest extends Pick<PageScope, 'cookies' | 'fetch' | 'now'> {
  /** Path and query. */
  url: string;
}

/** The response to a request for a page. */
export type RenderedPage =
  | { kind: 'redirect'; to: string }
  /** The visitor is not signed in: `renderGuestPage` renders the page. */
  | { kind: 'guest' }
  /**
   * `state` is an element of the page; `module` names the source of its screen. Without `html` the browser renders
   * it. `isMissing`: the pupil, class or book in the URL does not exist.
   */
  | {
      kind: 'page';
      title: string;
      html: string;
      state: string;
      module: string | undefined;
      isMissing: boolean;
      error?: unknown;
    }
  /** The server could not load the user or the school. */
  | { kind: 'unavailable' };

/** A page for a visitor who is not signed in. `description` is for search engines. */
export type GuestPage =
  | { kind: 'redirect'; to: string }
  | { kind: 'page'; title: string; html: string; module: string | undefined; description: string; error?: unknown };

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

/** The pattern of the screen at a path; `*` for an unknown address. */
export const patternOf = (pathname: string): string => screenOf(pathname)?.path ?? '*';

/** Renders a page for the visitor. Nothing of the request is kept afterwards. */
export const renderPage = ({ url, ...request }: PageRequest): Promise<RenderedPage> =>
  scopes.run({ ...request, user: null, client: createQueryClient() }, () => draw(url));

/** Renders a page for a visitor who is not signed in. It depends on the URL alone. */
export const renderGuestPage = (url: string, now: number): Promise<GuestPage> =>
  scopes.run({ cookies: '', fetch: rejectCall, now, user: null, client: createQueryClient() }, () => drawForGuest(url));

/** Renders the page that every address has while the portal is not available, or is too busy. */
export const renderUnavailablePage = (isBusy: boolean): Promise<{ title: string; html: string }> =>
  scopes.run({ cookies: '', fetch: rejectCall, now: 0, user: null, client: createQueryClient() }, () =>
    render(<UnavailablePage isBusy={isBusy} />),
  );

/** Renders the page of a link to a file that the visitor cannot open. */
export const renderFilePage = (failure: FileFailure): Promise<{ title: string; html: string }> =>
  scopes.run({ cookies: '', fetch: rejectCall, now: 0, user: null, client: createQueryClient() }, () =>
    render(<FilePage {...failure} />),
  );

const rejectCall = () => Promise.reject(new Error('This page makes no calls.'));

async function drawForGuest(url: string): Promise<GuestPage> {
  const location = new URL(`http://portal.invalid${url}`);
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

async function draw(url: string): Promise<RenderedPage> {
  const scope = scopes.getStore()!;
  const location = new URL(`http://portal.invalid${url}`);
  try {
    scope.user = (await call(accessCalls.getMe)).user;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) return { kind: 'unavailable' };
    return { kind: 'guest' };
  }
  const { client, user } = scope;
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
  const page = {
    kind: 'page' as const,
    state: writePageState({ user, renderedAt: scope.now, queries }),
    module: await moduleOf(location.pathname),
    isMissing: patternOf(location.pathname).includes(':') && client.getQueryCache().getAll().some(isNotFound),
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

/** Resolves when the whole page has been rendered, so that no script has to move parts into place. */
async function render(content: React.ReactNode): Promise<{ title: string; html: string }> {
  const rendered = await new Promise<string>((resolve, reject) => {
    const parts: Buffer[] = [];
    const sink = new Writable({
      write: (part: Buffer, _encoding, done) => {
        parts.push(part);
        done();
      },
      final: (done) => {
        resolve(Buffer.concat(parts).toString());
        done();
      },
    });
    const { pipe } = renderToPipeableStream(<App client={currentClient()}>{content}</App>, {
      onAllReady: () => pipe(sink),
      onError: reject,
      // Renders each part in its place, whatever its size.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
    });
  });
  const [, title = PRODUCT_NAME] = /<title>(.*?)<\/title>/.exec(rendered) ?? [];
  return { title, html: rendered.replace(/<title>.*?<\/title>/, '') };
}
