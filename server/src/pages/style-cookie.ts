import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { PageTemplate } from './page-template.ts';

/** In seconds. */
const YEAR_S = 365 * 86_400;

export type StyleCookie = ReturnType<typeof makeStyleCookie>;

/**
 * The cookie that names the build whose style sheet was sent to this browser, whose cache may have dropped it since.
 */
export function makeStyleCookie({ publicUrl }: Config, { style }: PageTemplate) {
  const name = 'style';
  const value = /([\w-]+)\.css$/.exec(style.url)?.[1];
  const secure = publicUrl.startsWith('https:');
  return {
    /** For a page that contains or links it. Returns whether an earlier page has done so. */
    mark({ headers }: FastifyRequest, reply: FastifyReply): boolean {
      if (value === undefined || parseCookie(headers.cookie ?? '')[name] === value) return true;
      const options = { maxAge: YEAR_S, path: '/', httpOnly: true, secure, sameSite: 'lax' } as const;
      reply.header('set-cookie', stringifySetCookie({ name, value, ...options }));
      return false;
    },
  };
}
