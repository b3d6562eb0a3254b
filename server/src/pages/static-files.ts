import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { makeSessionCookie } from '../auth/session-cookie.ts';
import { withSessionOfPage } from '../auth/session-of-page.ts';
import { AppError } from '../errors.ts';
import { isUnavailable } from '../http/error-answers.ts';
import type { LogOut } from './log-out.ts';
import { isPrefetch } from '../http/prefetch.ts';
import { serveRecentAssets } from './recent-assets.ts';
import { type Documents, makeDocuments, pageUnavailable } from './documents.ts';
import { type Answerer, makeGuestPages } from './guest-pages.ts';
import { buildPage } from './page-template.ts';
import { makeStyleCookie } from './style-cookie.ts';
import { BoundedQueue } from '../bounded-queue.ts';
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
  const documents = makeDocuments(app, web, logOut, services);
  const sendPage = pages(web, services, documents);
  const session = makeSessionCookie(services.config);
  const config = {
    errorPage: buildUnavailablePage(web),
    // A guest's page needs no database, and shows the login form in place of an error.
    isAnsweredWhenBusy: (request: FastifyRequest) => session.read(request) === undefined,
  };
  documents.serveForms(config.errorPage);
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

const locationOf = ({ url }: FastifyRequest): URL => new URL(`http://portal.invalid${url}`);

/**
 * Pages are rendered on the main thread, so more of them at once would only delay each other, and the calls in between.
 * A person who opens many tabs sees in the last ones that the portal is busy; the browser reloads them.
 */
const PAGE_LIMITS = { concurrency: 4, maxWaiting: 100, perPerson: { running: 2, waiting: 4 } };

function pages(web: WebApp, { config, clock, database }: Services, documents: Documents): Answerer {
  const renders = new BoundedQueue({
    ...PAGE_LIMITS,
    overloaded: () => new AppError('busy', { retryAfter: BUSY_RETRY_S }),
  });
  const cookie = makeSessionCookie(config);
  const style = makeStyleCookie(config, web.template);
  const sendGuestPage = makeGuestPages(web, style, documents);
  return async (request, reply) => {
    reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding, cookie');
    const { pathname } = locationOf(request);
    if (web.patternOf(pathname) === '*') reply.status(404);
    const isRendered = config.hasServerRendering || web.isDocument(pathname);
    if (!isRendered || cookie.read(request) === undefined) return sendGuestPage(request, reply);
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
      const render = () => web.renderPage(documents.requestFor(request, reply));
      // Without a session the visitor gets the page for guests, which is cached.
      return session ? renders.run(ownerOf(session, request.ip), render, disconnected.signal) : render();
    });
    switch (page.kind) {
      case 'redirect':
      case 'document':
      case 'unavailable':
        return documents.send(request, reply, page);
      case 'guest':
        cookie.clear(reply);
        return sendGuestPage(request, reply);
      case 'page':
        if (page.error) request.log.error({ err: withoutValues(page.error), screen: page.module }, 'page not rendered');
        if (page.isMissing) reply.status(404);
        return reply.send(buildPage(web.template, { ...page, scheme, hasStyle: style.mark(request, reply) }));
    }
  };
}

/** Light or dark, as stored by the browser's inline script in the web app's own cookie (`web/inline-script.ts`). */
const schemeIn = (cookies = ''): 'light' | 'dark' => (/(?:^|; )scheme=dark(?:;|$)/.test(cookies) ? 'dark' : 'light');
