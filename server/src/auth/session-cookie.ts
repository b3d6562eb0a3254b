import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** The maximum lifetime of a session in seconds; the server ends it earlier when it is idle. */
const MAX_AGE = 90 * 86_400;

/** The cookie that contains the session of the portal's own pages, out of reach of scripts. */
export interface SessionCookie {
  /** The token in the request's cookie; undefined when the cookie is not valid for this request. */
  read(request: FastifyRequest): string | undefined;
  /** Returns whether the request comes from one of the portal's own pages. */
  isOwn(request: FastifyRequest): boolean;
  set(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

/**
 * `__Host-session` when the portal is served over TLS, so that no subdomain can set or read it; `session` on plain
 * HTTP, where browsers reject the prefix. It authorises a change only when the browser states that the request is from
 * the portal's own pages: `SameSite=Lax` alone accepts forms from sibling domains.
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
