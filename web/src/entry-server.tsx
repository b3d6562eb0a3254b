import { AsyncLocalStorage } from 'node:async_hooks';
import { Writable } from 'node:stream';
import { dehydrate, type QueryClient } from '@tanstack/react-query';
import { renderToPipeableStream } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, matchPath, StaticRouterProvider } from 'react-router';
import { accessCalls } from '#contract/calls/access.ts';
import { meQuery } from './features/access/access.public.ts';
import { schoolQuery } from './features/school/school.public.ts';
import { screens } from './routes.tsx';
import { ApiError } from './shared/api-error.ts';
import { call } from './shared/api-client.ts';
import { type PageScope, providePageScope } from './shared/page-scope.ts';
import { writePageState } from './shared/page-state.ts';
import { App } from './shell/App.tsx';
import { guard } from './shell/guard.ts';
import { createQueryClient } from './shell/query-client.ts';
import { createRoutes } from './shell/router.tsx';
import { UnavailablePage } from './shell/UnavailablePage.tsx';

/** One request for a page. */
export interface PageRequest extends Pick<PageScope, 'cookies' | 'fetch' | 'now'> {
  /** The address: path and query. */
  url: string;
}

/** What a request for a page is answered with. */
export type DrawnPage =
  | { kind: 'redirect'; to: string }
  /** Nobody is signed in: the page that is the same for all, or where a guest has to go. */
  | { kind: 'guest'; to: string | null }
  /** `state` is an element for the page; `module` names the source of its screen. Without `html` the browser draws it. */
  | { kind: 'page'; title: string; html: string; state: string; module: string | undefined; error?: unknown }
  /** The server cannot say who asks, or what school it is. */
  | { kind: 'unavailable'; title: string; html: string };

/** All that belongs to one request. */
interface Scope extends PageScope {
  client: QueryClient;
}
const scopes = new AsyncLocalStorage<Scope>();
providePageScope(() => scopes.getStore());

const currentClient = (): QueryClient => {
  const scope = scopes.getStore();
  if (!scope) throw new Error('A page is drawn outside of a request.');
  return scope.client;
};
const handler = createStaticHandler(createRoutes(currentClient));

const screenOf = (pathname: string) => screens.find(({ path }) => path === '*' || matchPath(path, pathname));

/** Names the source of the screen at an address, as the manifest of the browser's build does. */
export const moduleOf = async (pathname: string): Promise<string | undefined> =>
  (await screenOf(pathname)?.load())?.moduleId;

/** Tells searchers what is at an address; undefined where nobody shall find anything. */
export const descriptionOf = (pathname: string): string | undefined => screenOf(pathname)?.description;

/** Whether an address is a page of the portal; others are answered 404. */
export const hasScreen = (pathname: string): boolean => screenOf(pathname)?.path !== '*';

/** Draws the page for whoever asks. Nothing of the request outlives it. */
export const drawPage = ({ url, ...request }: PageRequest): Promise<DrawnPage> =>
  scopes.run({ ...request, user: null, client: createQueryClient() }, () => draw(url));

async function draw(url: string): Promise<DrawnPage> {
  const scope = scopes.getStore()!;
  const location = new URL(`http://portal.invalid${url}`);
  try {
    scope.user = (await call(accessCalls.getMe)).user;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) return unavailable(location);
    const screen = screenOf(location.pathname);
    const to = screen ? guard(screen, location, null) : null;
    return { kind: 'guest', to };
  }
  const { client, user } = scope;
  client.setQueryData(meQuery().queryKey, { user });

  const context = await handler.query(new Request(location));
  if (context instanceof Response) return { kind: 'redirect', to: context.headers.get('Location') ?? '/' };
  const { enterprise_id: schoolId } = user;
  const school = schoolId === null ? undefined : client.getQueryState(schoolQuery(schoolId).queryKey);
  if (school?.error instanceof ApiError && school.error.status >= 500) return unavailable(location);

  const queries = dehydrate(client, {
    shouldDehydrateQuery: ({ queryKey, state }) => state.status !== 'pending' && queryKey[0] !== accessCalls.getMe.path,
    shouldRedactErrors: () => false,
  });
  const page = {
    kind: 'page' as const,
    state: writePageState({ user, drawnAt: scope.now, queries }),
    module: await moduleOf(location.pathname),
  };
  try {
    const router = createStaticRouter(handler.dataRoutes, context);
    return { ...page, ...(await render(<StaticRouterProvider router={router} context={context} hydrate={false} />)) };
  } catch (error) {
    // A screen that cannot be drawn here is drawn by the browser, which says what is wrong in its place.
    return { ...page, title: 'Loading…', html: '', error };
  } finally {
    client.clear();
  }
}

async function unavailable({ pathname, search }: URL): Promise<DrawnPage> {
  return { kind: 'unavailable', ...(await render(<UnavailablePage address={pathname + search} />)) };
}

/** Resolves when all of it is there: no script has to put parts of it into their places. */
async function render(content: React.ReactNode): Promise<{ title: string; html: string }> {
  const drawn = await new Promise<string>((resolve, reject) => {
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
      // Whatever its size a part stands in its place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
    });
  });
  const [, title = ''] = /<title>(.*?)<\/title>/.exec(drawn) ?? [];
  return { title, html: drawn.replace(/<title>.*?<\/title>/, '') };
}
