import { z } from 'zod';
import { defineCalls } from '../call.ts';

export const systemCalls = defineCalls({
  getHealth: {
    method: 'GET',
    path: '/health',
    tag: 'System',
    summary: 'Whether the server can work: it answers and so does its database',
    permission: 'open',
    reply: z.strictObject({ status: z.literal('ok') }),
    errors: ['unavailable'],
  },

  getOpenapi: {
    method: 'GET',
    path: '/openapi.json',
    tag: 'System',
    summary: 'This document',
    permission: 'open',
    reply: z.looseObject({ openapi: z.string() }),
  },
});
