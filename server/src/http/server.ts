import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { errorList } from '#contract/errors.ts';
import fastify, {
  type ConnectionError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { pino } from 'pino';
import qs from 'qs';
import type { Config } from '../config.ts';
import { prepareDraining } from './draining.ts';
import { AppError } from '../errors.ts';
import { errorAnswer, isUnavailable, toAppError } from './error-answers.ts';
import { readJson } from './json-body.ts';
import { withoutValues } from '../logging/loggable-error.ts';
import { currentRequest, runInRequest } from '../logging/request-scope.ts';
import { LoadWarnings } from './load-warnings.ts';
import { securityHeaders } from './security-headers.ts';
import { createProxyCheck } from './trusted-proxy.ts';
import { BUSY_RETRY_S, shedLoad } from './shed-load.ts';
import { acceptUploads } from './upload.ts';
import { ownerOfGuest } from './work-owner.ts';

/** How long a client may take, in milliseconds. */
interface Deadlines {
  /** Until its headers have arrived. */
  headers: number;
  /** Until the whole request has arrived, including an upload. */
  request: number;
  /** How often both are checked. */
  check: number;
}
const DEADLINES: Deadlines = { headers: 10_000, request: 60_000, check: 2000 };

/**
 * The HTTP server without routes: request IDs, security headers, one format of errors, logs without personal data.
 * @param scriptHashes CSP sources (`'sha256-…'`) of inline scripts
 */
export async function createServer(
  config: Config,
  scriptHashes: readonly string[],
  deadlines: Deadlines = DEADLINES,
): Promise<FastifyInstance> {
  const headers = securityHeaders(config, scriptHashes);
  const isFromProxy = createProxyCheck(config);
  const app = fastify({
    // A call that a page makes in the process belongs to the page's request.
    genReqId: (request) =>
      currentRequest()?.requestId ??
      (isFromProxy(request) ? proxyRequestId(request.headers['x-request-id']) : undefined) ??
      randomUUID(),
    trustProxy: config.trustProxy ?? false,
    routerOptions: {
      querystringParser: (text) =>
        qs.parse(text, { depth: 2, parameterLimit: 50, arrayLimit: 50 }) as Record<string, unknown>,
      maxParamLength: 500,
      // The specification writes some paths with a trailing slash, such as `POST enterprises/`.
      ignoreTrailingSlash: true,
    },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    requestTimeout: deadlines.request,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: deadlines.headers, connectionsCheckingInterval: deadlines.check },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, headers),
    // Paths that the router rejects before any hook: malformed escapes, overlong parameters.
    frameworkErrors: (_error, request, reply) => {
      const { status, body } = errorAnswer(new AppError('not_found'));
      const raw: FastifyReply = reply;
      void raw
        .headers(headers)
        .header('x-request-id', request.id)
        .header('cache-control', 'no-store')
        .status(status)
        .send(body);
    },
    forceCloseConnections: 'idle',
    // What arrives after the port was closed was sent to this process alone, so it is served.
    return503OnClosing: false,
    logger: logging(config),
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
  });
  // Replies without a caching policy are not cached, nor is a file whose reply changes the cookies of one browser.
  app.addHook('onSend', async (_request, reply) => {
    const policy = reply.getHeader('cache-control');
    const isShared = reply.hasHeader('set-cookie') && String(policy).includes('public');
    if (policy === undefined || isShared) reply.header('cache-control', 'no-store');
  });
  prepareDraining(app);
  await shedLoad(app, config);
  app.addHook('onRequest', (request, _reply, done) => {
    runInRequest({ owner: ownerOfGuest(request.ip), ...currentRequest(), requestId: request.id }, done);
  });
  // The route's pattern, never the URL: searches contain children's names, and links contain tokens.
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        route: `${request.method} ${request.routeOptions.url ?? 'none'}`,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });
  app.removeContentTypeParser('text/plain');
  // An empty body with the type JSON counts as no body.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined);
    try {
      done(null, readJson(String(text)));
    } catch (error) {
      done(error as AppError);
    }
  });
  await acceptUploads(app);
  const loadWarnings = new LoadWarnings((rejected) => app.log.warn({ rejected }, 'requests were answered 503'));
  app.setErrorHandler(async (thrown, request, reply) => {
    const error = toAppError(thrown);
    const { status, body } = errorAnswer(error);
    if (thrown instanceof AppError && isUnavailable(thrown)) loadWarnings.note();
    else if (status >= 500)
      request.log.error({ err: withoutValues(thrown), route: request.routeOptions.url }, 'failed');
    if (error.details.retryAfter) reply.header('retry-after', String(error.details.retryAfter));
    reply.header('cache-control', 'no-store').status(status);
    const isBusy = error.kind === 'busy';
    const page = await request.routeOptions.config.errorPage?.(request, { status, isBusy, text: body.error });
    if (page === undefined) return reply.send(body);
    if (status >= 500) reply.header('refresh', String(isBusy ? BUSY_RETRY_S : RELOAD_S));
    return reply.type('text/html; charset=utf-8').send(page);
  });
  return app;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Builds what a person sees when the route fails; undefined where JSON is the answer. */
    errorPage?: ErrorPage;
  }
}

interface Failure {
  status: number;
  /** The request was rejected because of too much load. */
  isBusy: boolean;
  /** What the API answers. */
  text: string;
}
export type ErrorPage = (request: FastifyRequest, failure: Failure) => Promise<string> | string | undefined;

/** A page of an error is loaded again after this time, in seconds, as it says. */
const RELOAD_S = 10;

/** The request ID that a proxy sent; undefined if it is malformed. */
const proxyRequestId = (header: unknown): string | undefined =>
  typeof header === 'string' && /^[\w.-]{8,64}$/.test(header) ? header : undefined;

const UNREADABLE: Record<string, { line: string; text: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { line: '408 Request Timeout', text: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    text: 'The headers of the request are too large.',
  },
};

/** Input that is not HTTP, or arrives too slowly, is answered and disconnected here: there is no request for a hook. */
function answerUnreadable(error: ConnectionError, socket: Socket, headers: Record<string, string>): void {
  const { line, text } = UNREADABLE[error.code] ?? { line: '400 Bad Request', text: errorList.malformed_body.text };
  const body = JSON.stringify(errorAnswer(new AppError('malformed_body', { text })).body);
  const lines = Object.entries({
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  if (socket.writable) socket.write(`HTTP/1.1 ${[line, ...lines].join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

/** Log lines are buffered for up to a second: a write per line would take a twentieth of a request's processor time. */
function logging(config: Config): FastifyServerOptions['logger'] {
  if (config.logLevel === 'silent') return false;
  return {
    level: config.logLevel,
    stream: pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 1000 }),
  };
}
