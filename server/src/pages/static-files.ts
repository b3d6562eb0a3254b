import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { makeSessionCookie } from '../auth/session-cookie.ts';
import { withSessionOfPage } from '../auth/session-of-page.ts';
import { AppError } from '../errors.ts';
import { isUnavailable } from '../http/error-answers.ts';
import type { LogOut } from './log-out.ts';
import { isPrefetch } from '../http/prefetch.ts';
import { serveRecentAssets } from './recent-assets.ts';
import { serveLoginForm } from './login-form.ts';
import { buildGuestPage, buildPage, type PageTemplate } from './page-template.ts';
import { BoundedQueue } from '../bounded-queue.ts';
import type { Config } from '../config.ts';
import { findCaller } from '../http/authenticate.ts';
import { BUSY_RETRY_S } from '../http/shed-load.ts';
import { ownerOf } from '../http/work-owner.ts';
import type { Services } from '../context.ts';
import type { ErrorPage } from '../http/server.ts';
import { withoutValues } from '../logging/loggable-error.ts';
import type { WebApp } from './web-app.ts';
import { serveWellKnownFiles } from './well-known-files.ts';

/**
 * Serves the web app: its precompressed files, cached for ever, and at every other path a page, server-rendered for
 * logged-in users.
 */
export async function serveWeb(
  app: FastifyInstance,
  web: WebApp | undefined,
  logOut: LogOut,
  services: Services,
): Promise<void> {
  app.setNotFoundHandler(() => {
    throw new AppError('not_found');
  });
  if (!web) return;
  await app.register(fastifyStatic, {
    root: web.folder,
    index: false,
    // One route per file; other paths belong to the API, are pages, or are not found.
    wildcard: false,
    globIgnore: ['index.html*', '.vite/**'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  serveRecentAssets(app, services.config.dataDir, () => services.clock.now());
  serveWellKnownFiles(app, services);
  serveLoginForm(app, services.config);
  const sendPage = pages(app, web, services);
  const session = makeSessionCookie(services.config);
  const config = {
    errorPage: buildUnavailablePage(web),
    // A guest's page needs no database, and shows the login form in place of an error.
    isAnsweredWhenBusy: (request: FastifyRequest) => session.read(request) === undefined,
  };
  logOut.servePage({ sendPage, errorPage: config.errorPage });
  app.get('/', { config }, sendPage);
  app.get('/index.html', (_request, reply) => reply.redirect('/'));
  app.get('/*', { config }, (request, reply) => {
    if (NO_PAGE.test(request.url)) throw new AppError('not_found');
    return sendPage(request, reply);
  });
}

/** The page of a failure of the server. */
const buildUnavailablePage =
  (web: WebApp): ErrorPage =>
  ({ headers }, { status, isBusy }) =>
    status < 500
      ? undefined
      : buildPage(
          web.template,
          { ...(isBusy ? web.busyPage : web.unavailablePage), scheme: schemeIn(headers.cookie) },
          false,
        );

/** The page of a link to a file that a browser cannot open; undefined for a program and for the portal's own scripts. */
export function buildLinkErrorPage(web: WebApp): ErrorPage {
  const unavailablePage = buildUnavailablePage(web);
  return (request, failure) => {
    if (!isNavigation(request)) return undefined;
    return unavailablePage(request, failure) ?? buildFilePage(web, request, failure);
  };
}

async function buildFilePage(web: WebApp, request: FastifyRequest, failure: { status: number; text: string }) {
  const page = await web.renderFilePage({ ...failure, path: locationOf(request).pathname });
  return buildPage(web.template, { ...page, scheme: schemeIn(request.headers.cookie) }, false);
}

/** Whether a browser opens the URL as a page. Older browsers only state that they accept HTML. */
const isNavigation = ({ headers }: FastifyRequest): boolean =>
  (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate' && (headers.accept ?? '').includes('text/html');

/** Paths of files or calls, never of pages: if missing, they are not found. */
const NO_PAGE =
  /^\/(v1|assets|content|\.well-known)(\/|$)|^\/[^/?]+\.(ico|png|svg|txt|xml|json|js|css|php|webmanifest)(\?|$)/;

/** In seconds. */
const YEAR_S = 365 * 86_400;

const locationOf = ({ url }: FastifyRequest): URL => new URL(`http://portal.invalid${url}`);

type Answerer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** As the page of an unavailable portal says. */
const PAGE_RETRY_S = 10;
/**
 * Pages are rendered on the main thread, so more of them at once would only delay each other, and the calls in between.
 * A person who opens many tabs sees in the last ones that the portal is busy; the browser reloads them.
 */
const PAGE_LIMITS = { concurrency: 4, maxWaiting: 100, perPerson: { running: 2, waiting: 4 } };

const pageUnavailable = () => new AppError('unavailable', { retryAfter: PAGE_RETRY_S });

function pages(app: FastifyInstance, web: WebApp, { config, clock, database }: Services): Answerer {
  const renders = new BoundedQueue({
    ...PAGE_LIMITS,
    overloaded: () => new AppError('busy', { retryAfter: BUSY_RETRY_S }),
  });
  const cookie = makeSessionCookie(config);
  const style = styleCookie(config, web.template);
  const sendGuestPage = guestPages(web, style, clock);
  return async (request, reply) => {
    reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding, cookie');
    if (web.patternOf(locationOf(request).pathname) === '*') reply.status(404);
    if (!config.hasServerRendering || cookie.read(request) === undefined) return sendGuestPage(request, reply);
    reply.header('cache-control', 'private, no-store');
    // The calls of a page that no one sees would be recorded as views of pupils.
    if (isPrefetch(request)) return reply.status(503).send();
    if (request.method === 'HEAD') return reply.send();
    const scheme = schemeIn(request.headers.cookie);
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort(new AppError('malformed_body')));
    const page = await withSessionOfPage(async () => {
      const session = await findCaller(database, request, cookie, clock.now()).catch((error: unknown) => {
        throw isUnavailable(error) ? pageUnavailable() : error;
      });
      const render = () =>
        web.renderPage({
          url: request.url,
          cookies: request.headers.cookie ?? '',
          fetch: (address) => callInProcess(app, request, address),
          now: clock.now().getTime(),
        });
      // Without a session the visitor gets the page for guests, which is cached.
      return session ? renders.run(ownerOf(session, request.ip), render, disconnected.signal) : render();
    });
    switch (page.kind) {
      case 'redirect':
        return reply.redirect(page.to);
      case 'guest':
        cookie.clear(reply);
        return sendGuestPage(request, reply);
      case 'unavailable':
        throw pageUnavailable();
      case 'page':
        if (page.error) request.log.error({ err: withoutValues(page.error), screen: page.module }, 'page not rendered');
        if (page.isMissing) reply.status(404);
        return reply.send(buildPage(web.template, { ...page, scheme, hasStyle: style.mark(request, reply) }));
    }
  };
}

/**
 * The cookie that names the build whose style sheet was sent to this browser, whose cache may have dropped it since.
 */
function styleCookie({ publicUrl }: Config, { style }: PageTemplate) {
  const name = 'style';
  const value = /([\w-]+)\.css$/.exec(style.url)?.[1];
  const secure = publicUrl.startsWith('https:');
  return {
    /** For a page that contains or links it. Returns whether an earlier page has done so. */
    mark({ headers }: FastifyRequest, reply: FastifyReply): boolean {
      if (value === undefined || parseCookie(headers.cookie ?? '')[name] === value) return true;
      const options = { maxAge: YEAR_S, path: '/', httpOnly: true, secure, sameSite: 'lax' } as const;
      reply.header('set-cookie', stringifySetCookie({ name, value, ...options }));
      return false;
    },
  };
}

/** Light or dark, as stored by the browser's inline script in the web app's own cookie (`web/inline-script.ts`). */
const schemeIn = (cookies = ''): 'light' | 'dark' => (/(?:^|; )scheme=dark(?:;|$)/.test(cookies) ? 'dark' : 'light');

/** Makes a call for the visitor through the whole pipeline, with their address, permissions and limits. */
async function callInProcess(app: FastifyInstance, request: FastifyRequest, address: string): Promise<Response> {
  const { cookie, host, 'x-forwarded-for': forwarded } = request.headers;
  const { statusCode, headers, rawPayload } = await app.inject({
    method: 'GET',
    url: address,
    remoteAddress: request.raw.socket.remoteAddress ?? '',
    headers: { accept: 'application/json', host, cookie, ...(forwarded && { 'x-forwarded-for': forwarded }) },
  });
  const kept = ['content-type', 'retry-after'].flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])] as [string, string]],
  );
  return new Response(statusCode === 204 ? null : new Uint8Array(rawPayload), { status: statusCode, headers: kept });
}

type Encoded = Record<'br' | 'gzip' | 'plain', Buffer>;

const encode = (html: string): Encoded => ({
  br: brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: gzipSync(html, { level: 9 }),
  plain: Buffer.from(html),
});

/** The pages of guests. A page that no part of the URL changes is built and compressed once. */
function guestPages(web: WebApp, style: ReturnType<typeof styleCookie>, clock: Services['clock']): Answerer {
  const built = new Map<string, Encoded>();
  return async (request, reply) => {
    // A user can log in from it without loading another page, and must not find it again after logging out.
    reply.header('cache-control', 'no-store');
    const { pathname, search } = locationOf(request);
    const pattern = web.patternOf(pathname);
    const isSameForAll = pattern === '*' || (search === '' && !pattern.includes(':'));
    let bodies = isSameForAll ? built.get(pattern) : undefined;
    if (!bodies) {
      const page = await web.renderGuestPage(request.url, clock.now().getTime());
      if (page.kind === 'redirect') return reply.redirect(page.to);
      if (page.error) request.log.error({ err: withoutValues(page.error), screen: page.module }, 'page not rendered');
      const html = buildGuestPage(web.template, page);
      style.mark(request, reply);
      if (!isSameForAll) return reply.send(html);
      bodies = encode(html);
      built.set(pattern, bodies);
    } else style.mark(request, reply);
    const accepts = request.headers['accept-encoding']?.toString() ?? '';
    const encoding = (['br', 'gzip'] as const).find((name) => accepts.includes(name));
    return encoding ? reply.header('content-encoding', encoding).send(bodies[encoding]) : reply.send(bodies.plain);
  };
}
