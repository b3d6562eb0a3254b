import type { FastifyRequest } from 'fastify';

/** Whether a browser fetches the URL before anyone opens it. It discards the answer 503, and asks again when it is opened. */
export const isPrefetch = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  [headers['sec-purpose'], headers['purpose'], headers['x-moz']].some((header) => header?.includes('prefetch'));
