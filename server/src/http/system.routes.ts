import { api } from '#contract/api.ts';
import { openapiDocument } from '#contract/openapi.ts';
import { pingDatabase } from '../database/database.ts';
import { AppError } from './errors.ts';
import { defineHandlers } from './pipeline.ts';

let document: ReturnType<typeof openapiDocument> | undefined;

/** A load balancer asks every few seconds: a slow database counts as one that does not answer. */
const HEALTH_TIMEOUT_MS = 2000;

/** Readiness, and the API's own description. Neither needs a transaction. */
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
