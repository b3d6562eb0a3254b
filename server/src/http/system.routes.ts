import type { Call } from '#contract/call.ts';
import { getHealth, getOpenapi } from '#contract/calls/system.ts';
import { openapiDocument } from '#contract/openapi.ts';
import { pingDatabase } from '../database/database.ts';
import { AppError } from './errors.ts';
import { route } from './pipeline.ts';

/** Health and the API's own description. */
export const systemRoutes = (calls: readonly Call[]) => {
  let document: ReturnType<typeof openapiDocument> | undefined;
  return [
    route(getHealth, {
      prepare: ({ services }) =>
        pingDatabase(services.database).catch(() => {
          throw new AppError('unavailable', { retryAfter: 5 });
        }),
      handle: async () => ({ status: 'ok' as const }),
    }),
    route(getOpenapi, {
      handle: async ({ services }) => (document ??= openapiDocument(calls, services.config.productName)),
    }),
  ];
};
