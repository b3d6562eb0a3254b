import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** The maximum lifetime of a session in seconds; the server ends it earlier when it is idle. */
const SESSION_MAX_AGE = 90 * 86_400;
/** 13 months, so that the server forgets a device first. */
const DEVICE_MAX_AGE = 395 * 86_400;

/** In seconds; the server rejects an older sign-in. */
export const SIGN_IN_MAX_AGE = 600;

/** A cookie of the portal's own pages, out of reach of scripts. */
export interface PortalCookie {
  /** The token in the request's cookie; undefined when the cookie is not valid for this request. */
  read(request: FastifyRequest): string | undefined;
  /** Returns whether the request comes from one of the portal's own pages. */
  isOwn(request: FastifyRequest): boolean;
  set(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
  /** Removes it from the request, for everything that handles the request afterwards. */
  remove(request: FastifyRequest): void;
}

/** The cookie that contains the session. */
export const makeSessionCookie = (config: Pick<Config, 'publicUrl'>): PortalCookie =>
  makeCookie(config, 'session', SESSION_MAX_AGE);

/** The cookie by which a later login recognises the browser. It gives no access. */
export const makeDeviceCookie = (config: Pick<Config, 'publicUrl'>): PortalCookie =>
  makeCookie(config, 'device', DEVICE_MAX_AGE);

/** The cookie of a sign-in through a provider, which ends in the browser in which it began. */
export const makeSignInCookie = (config: Pick<Config, 'publicUrl'>): PortalCookie =>
  makeCookie(config, 'sign-in', SIGN_IN_MAX_AGE);

/** In seconds. */
const INVITE_MAX_AGE = 86_400;

/** The cookie with the ID of the invitation that its recipient logs in or registers to accept. It gives no session. */
export const makeInviteCookie = (config: Pick<Config, 'publicUrl'>): PortalCookie =>
  makeCookie(config, 'invite', INVITE_MAX_AGE);

/** In seconds; the server rejects a later step. */
const LOGIN_STEP_MAX_AGE = 900;

/** The cookie with the second step of a login, between the password and the code. It gives no session. */
export const makeLoginStepCookie = (config: Pick<Config, 'publicUrl'>): PortalCookie =>
  makeCookie(config, 'login-step', LOGIN_STEP_MAX_AGE);

/** In seconds. By then the next page has started. */
const LOG_OUT_DONE_MAX_AGE = 60;
/** The value of the log-out cookie of a log out that did not arrive, and of one that is done. */
export const LOG_OUT_PENDING = '1';
export const LOG_OUT_DONE = 'done';

/**
 * The cookie with which a page asks to end the session with the next request, when its log out did not arrive. Afterwards it
 * tells the next page that the user has logged out, so that the user's other tabs follow. Pages read and set it
 * (web/src/shared/log-out.ts).
 */
export const makeLogOutCookie = (config: Pick<Config, 'publicUrl'>): PortalCookie =>
  makeCookie(config, 'log-out', LOG_OUT_DONE_MAX_AGE, false);

/**
 * `__Host-session` when the portal is served over TLS, so that no subdomain can set or read it; `session` on plain
 * HTTP, where browsers reject the prefix. It authorises a change only when the browser states that the request is from
 * the portal's own pages: `SameSite=Lax` alone accepts forms from sibling domains.
 */
function makeCookie(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  plainName: string,
  lifetime: number,
  httpOnly = true,
): PortalCookie {
  const { origin, protocol } = new URL(publicUrl);
  const secure = protocol === 'https:';
  const name = secure ? `__Host-${plainName}` : plainName;
  const isOwn = ({ headers }: FastifyRequest): boolean =>
    headers['sec-fetch-site'] === undefined ? headers.origin === origin : headers['sec-fetch-site'] === 'same-origin';
  const write = (reply: FastifyReply, value: string, maxAge: number) =>
    void reply.header(
      'set-cookie',
      stringifySetCookie({ name, value, maxAge, path: '/', httpOnly, secure, sameSite: 'lax' }),
    );
  return {
    read: (request) => {
      const { cookie } = request.headers;
      if (!cookie || !(request.method === 'GET' || request.method === 'HEAD' || isOwn(request))) return undefined;
      return parseCookie(cookie)[name] || undefined;
    },
    isOwn,
    set: (reply, token) => write(reply, token, lifetime),
    clear: (reply) => write(reply, '', 0),
    remove: ({ headers }) => {
      const pairs = (headers.cookie ?? '').split(/; ?/).filter((pair) => !pair.startsWith(`${name}=`));
      headers.cookie = pairs.join('; ');
    },
  };
}
