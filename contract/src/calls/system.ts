import { z } from 'zod';
import { declareCall } from '../call.ts';

export const getHealth = declareCall({
  method: 'GET',
  path: '/health',
  tag: 'System',
  summary: 'Whether the server can work: it answers and so does its database',
  permission: 'open',
  reply: z.strictObject({ status: z.literal('ok') }),
  errors: ['unavailable'],
});

export const getOpenapi = declareCall({
  method: 'GET',
  path: '/openapi.json',
  tag: 'System',
  summary: 'This document',
  permission: 'open',
  reply: z.looseObject({ openapi: z.string() }),
});
