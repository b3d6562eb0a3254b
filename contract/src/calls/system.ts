import { z } from 'zod';
import { defineCalls } from '../call.ts';

export const systemCalls = defineCalls({
  getHealth: {
    method: 'GET',
    path: '/health',
    tag: 'System',
    summary: 'Whether the server and its database respond',
    permission: 'open',
    reply: z.strictObject({ status: z.literal('ok') }),
    errors: ['unavailable'],
  },

  getOpenapi: {
    method: 'GET',
    path: '/openapi.json',
    tag: 'System',
    summary: 'The OpenAPI document of this API',
    permission: 'open',
    reply: z.looseObject({ openapi: z.string() }),
  },
});
