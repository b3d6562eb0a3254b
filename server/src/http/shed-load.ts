import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { currentRequest } from '../logging/request-scope.ts';
import { AppError } from '../errors.ts';

/**
 * Requests that one process with an embedded database answers at the same time. A class of children who hand in their
 * reading and a staff room of open dashboards stay below it.
 */
export const MAX_WAITING_REQUESTS = 200;

/** After how many seconds a rejected client tries again. */
export const BUSY_RETRY_S = 5;

/** A file of the web app: it costs little, and a page without one of its scripts is broken. */
const STATIC_FILE = /^\/(assets\/|[^/?]+\.\w+(\?|$))/;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route answers this request while others are answered 503, because it costs little. */
    isAnsweredWhenBusy?: (request: FastifyRequest) => boolean;
  }
}

function assertHasTime(request: FastifyRequest, isBusy: () => boolean): void {
  // A call that an accepted page makes in the process belongs to it.
  const isAccepted = currentRequest() !== undefined;
  if (isAccepted || STATIC_FILE.test(request.url) || request.routeOptions.config.isAnsweredWhenBusy?.(request)) return;
  if (isBusy()) throw new AppError('busy', { retryAfter: BUSY_RETRY_S });
}

/**
 * Answers 503 with the code `busy` when the process has too much to do, before any work is done for the request. On a
 * server the delay of the event loop decides. The embedded database runs in this process, where one long statement
 * delays the event loop without any load, so the number of unanswered requests decides.
 */
export async function shedLoad(app: FastifyInstance, config: Pick<Config, 'maxEventLoopDelayMs' | 'databaseUrl'>) {
  if (!config.databaseUrl) limitWaitingRequests(app);
  if (config.maxEventLoopDelayMs === 0) return;
  await app.register(underPressure, {
    maxEventLoopDelay: config.maxEventLoopDelayMs,
    sampleInterval: Math.min(1000, config.maxEventLoopDelayMs),
    pressureHandler: (request) => assertHasTime(request, () => true),
  });
}

function limitWaitingRequests(app: FastifyInstance): void {
  let waiting = 0;
  app.addHook('onRequest', async (request, reply) => {
    assertHasTime(request, () => waiting >= MAX_WAITING_REQUESTS);
    waiting += 1;
    // Also when the client leaves before the reply.
    reply.raw.once('close', () => void (waiting -= 1));
  });
}
