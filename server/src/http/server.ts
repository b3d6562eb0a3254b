import { randomUUID } from 'node:crypto';
import helmet from '@fastify/helmet';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import qs from 'qs';
import type { Config } from '../config.ts';
import { AppError, errorAnswer, toAppError } from './errors.ts';
import { acceptUploads } from './upload.ts';

/**
 * The bare HTTP server: ids of requests, security headers, one shape of errors, logs without personal data.
 * @param scriptHashes CSP sources (`'sha256-…'`) of the scripts that stand in the page itself
 */
export async function createServer(config: Config, scriptHashes: readonly string[]): Promise<FastifyInstance> {
  const app = fastify({
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy ?? false,
    routerOptions: { querystringParser: (text) => qs.parse(text, { depth: 2, parameterLimit: 50, arrayLimit: 50 }) as Record<string, unknown>, maxParamLength: 500 },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    forceCloseConnections: 'idle',
    logger: config.logLevel === 'silent' ? false : { level: config.logLevel },
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scriptHashes],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...(config.contentUrl ? [new URL(config.contentUrl).origin] : [])],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        frameSrc: ["'self'", ...(config.contentUrl ? [new URL(config.contentUrl).origin] : [])],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: config.publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  // The route's pattern and never the URL: searches hold children's names, links hold tokens.
  app.addHook('onResponse', async (request, reply) => {
    request.log.info({ route: `${request.method} ${request.routeOptions.url ?? 'none'}`, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered');
  });
  // A body with the type JSON and nothing in it is no body.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined);
    try {
      done(null, JSON.parse(String(text)));
    } catch {
      done(new AppError('malformed_body'));
    }
  });
  await acceptUploads(app);
  app.setErrorHandler((thrown, request, reply) => {
    const error = toAppError(thrown);
    const { status, body } = errorAnswer(error);
    if (status >= 500) request.log.error({ err: withoutValues(thrown), route: request.routeOptions.url }, 'failed');
    if (error.details.retryAfter) reply.header('retry-after', String(error.details.retryAfter));
    return reply.header('cache-control', 'no-store').status(status).send(body);
  });
  return app;
}

/** An error as it may be logged: databases put the statement's values into theirs. */
function withoutValues(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const { code, constraint, table } = error as Error & Record<string, unknown>;
  const isDatabases = 'severity' in error || 'query' in error;
  return { type: error.name, message: isDatabases ? 'database error' : error.message, code, constraint, table, stack: error.stack?.split('\n').slice(1).join('\n') };
}
