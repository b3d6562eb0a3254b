import { api } from '#contract/api.ts';
import { openapiDocument } from '#contract/openapi.ts';
import type { FastifyInstance } from 'fastify';
import { pingDatabase } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { defineHandlers } from './pipeline.ts';

let document: ReturnType<typeof openapiDocument> | undefined;

/** A load balancer probes every few seconds, so a slow database counts as unavailable. */
const HEALTH_TIMEOUT_MS = 2000;

/** Readiness, and the OpenAPI document. Neither needs a transaction. */
export const systemHandlers = defineHandlers({
  getHealth: {
    answer: async ({ services }) => {
      const timeout = Promise.withResolvers<never>();
      const timer = setTimeout(() => timeout.reject(new Error('The database is too slow.')), HEALTH_TIMEOUT_MS);
      try {
        await Promise.race([pingDatabase(services.database), timeout.promise]);
      } catch {
        throw new AppError('unavailable', { retryAfter: 5 });
      } finally {
        clearTimeout(timer);
      }
      return { status: 'ok' };
    },
  },
  getOpenapi: {
    answer: async ({ services }) => (document ??= openapiDocument(api, services.config.productName)),
  },
});

/**
 * Liveness: a supervisor restarts a process that does not answer. It uses no database and answers under load, because a
 * restart helps against neither.
 */
export function serveLiveness(app: FastifyInstance): void {
  app.get('/v1/live', { config: { isAnsweredWhenBusy: () => true } }, () => ({ status: 'ok' }));
}
