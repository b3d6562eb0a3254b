import { api } from '#contract/api.ts';
import { openapiDocument } from '#contract/openapi.ts';
import { pingDatabase } from '../database/database.ts';
import { AppError } from './errors.ts';
import { defineHandlers, withPrepare } from './pipeline.ts';

let document: ReturnType<typeof openapiDocument> | undefined;

/** Health and the API's own description. */
export const systemHandlers = defineHandlers({
  getHealth: withPrepare({
    prepare: ({ services }) =>
      pingDatabase(services.database).catch(() => {
        throw new AppError('unavailable', { retryAfter: 5 });
      }),
    handle: async () => ({ status: 'ok' as const }),
  }),
  getOpenapi: {
    handle: async ({ services }) => (document ??= openapiDocument(api, services.config.productName)),
  },
});
