import { PROGRAM_TOKEN_PREFIX } from '#contract/programs.ts';
import type { FastifyRequest } from 'fastify';
import type { PortalCookie } from './session-cookie.ts';
import type { NamedSession } from './sessions.queries.ts';
import { hashToken, newToken } from './tokens.ts';

/** The browser or program that sent a request. */
export interface Client {
  userAgent: string;
  /**
   * The token of the browser's device cookie, new for a browser without one; null for a program, which has no cookies.
   */
  deviceToken: string | null;
  /** The client's address, through the proxies of `TRUST_PROXY`. */
  address: string;
  /** The session that the request names, valid or not; null without one. */
  session: NamedSession | null;
}

/** Longer ones are of no use, and would take long to parse. */
const MAX_USER_AGENT_LENGTH = 500;

const DEVICE_TOKEN = /^[\w-]{43}$/;

const partsOf = ({ headers, ip }: FastifyRequest) => ({
  userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
  address: ip,
});

/** The cookies that tell browsers apart. */
interface ClientCookies {
  device: PortalCookie;
  session: PortalCookie;
}

/** The token in the `Authorization` header, which may be empty. Other schemes are a proxy's own login. */
function tokenOf({ headers }: FastifyRequest): string | undefined {
  const [scheme, token = ''] = headers.authorization?.split(' ') ?? [];
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

/** The session that a request names by its header or cookie, valid or not; null without one. */
export function nameSession(request: FastifyRequest, cookie: PortalCookie): NamedSession | null {
  const bearer = tokenOf(request);
  const token = bearer ?? cookie.read(request);
  if (!token) return null;
  const isCookie = bearer === undefined;
  return { tokenHash: hashToken(token), isCookie, isProgram: !isCookie && token.startsWith(PROGRAM_TOKEN_PREFIX) };
}

/** The client of a request. */
export const clientOf = (request: FastifyRequest, cookies: ClientCookies): Client =>
  cookies.device.isOwn(request)
    ? browserOf(request, cookies)
    : { ...partsOf(request), deviceToken: null, session: nameSession(request, cookies.session) };

/** The browser of a request that comes from a provider's page. */
export function browserOf(
  request: FastifyRequest,
  { device, session }: ClientCookies,
): Client & { deviceToken: string } {
  const known = device.read(request);
  return {
    ...partsOf(request),
    deviceToken: known && DEVICE_TOKEN.test(known) ? known : newToken(),
    session: nameSession(request, session),
  };
}
