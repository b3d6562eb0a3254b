import type { FastifyRequest } from 'fastify';
import type { PortalCookie } from './session-cookie.ts';
import { newToken } from './tokens.ts';

/** The browser or program that sent a request. */
export interface Client {
  userAgent: string;
  /**
   * The token of the browser's device cookie, new for a browser without one; null for a program, which has no cookies.
   */
  deviceToken: string | null;
  /** The client's address, through the proxies of `TRUST_PROXY`. */
  address: string;
}

/** Longer ones are of no use, and would take long to parse. */
const MAX_USER_AGENT_LENGTH = 500;

const DEVICE_TOKEN = /^[\w-]{43}$/;

const partsOf = ({ headers, ip }: FastifyRequest) => ({
  userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
  address: ip,
});

/** The client of a request. */
export const clientOf = (request: FastifyRequest, deviceCookie: PortalCookie): Client =>
  deviceCookie.isOwn(request) ? browserOf(request, deviceCookie) : { ...partsOf(request), deviceToken: null };

/** The browser of a request that comes from a provider's page. */
export function browserOf(request: FastifyRequest, deviceCookie: PortalCookie): Client & { deviceToken: string } {
  const known = deviceCookie.read(request);
  return { ...partsOf(request), deviceToken: known && DEVICE_TOKEN.test(known) ? known : newToken() };
}
