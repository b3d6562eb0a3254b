import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** As long as a session lasts at most, in seconds; the server ends it sooner when it is not used. */
const MAX_AGE = 90 * 86_400;

/** The cookie in which the portal's own pages carry their session, out of scripts' reach. */
export interface SessionCookie {
  /** The token in the request's cookie; none where the cookie does not count. */
  read(request: FastifyRequest): string | undefined;
  /** True when one of the portal's own pages makes the request. */
  isOwn(request: FastifyRequest): boolean;
  set(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

/**
 * `__Host-session` where the portal is served over TLS, so that no sub-domain can set or read it; `session` on plain
 * http, where browsers refuse the prefix. It counts for a change only when the browser says that the request comes
 * from the portal's own pages: `SameSite=Lax` alone lets a sister domain's forms through.
 */
export function makeSessionCookie({ publicUrl }: Pick<Config, 'publicUrl'>): SessionCookie {
  const { origin, protocol } = new URL(publicUrl);
  const secure = protocol === 'https:';
  const name = secure ? '__Host-session' : 'session';
  const isOwn = ({ headers }: FastifyRequest): boolean =>
    headers['sec-fetch-site'] === undefined ? headers.origin === origin : headers['sec-fetch-site'] === 'same-origin';
  const write = (reply: FastifyReply, value: string, maxAge: number) =>
    void reply.header(
      'set-cookie',
      stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, secure, sameSite: 'lax' }),
    );
  return {
    read: (request) => {
      const { cookie } = request.headers;
      if (!cookie || !(request.method === 'GET' || request.method === 'HEAD' || isOwn(request))) return undefined;
      return parseCookie(cookie)[name] || undefined;
    },
    isOwn,
    set: (reply, token) => write(reply, token, MAX_AGE),
    clear: (reply) => write(reply, '', 0),
  };
}
