import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withoutValues } from '../logging/loggable-error.ts';
import type { Documents } from './documents.ts';
import { buildDocument, buildGuestPage } from './page-template.ts';
import type { StyleCookie } from './style-cookie.ts';
import type { WebApp } from './web-app.ts';

export type Answerer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

type Encoded = Record<'br' | 'gzip' | 'plain', Buffer>;

const encode = (html: string): Encoded => ({
  br: brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: gzipSync(html, { level: 9 }),
  plain: Buffer.from(html),
});

/** The pages of guests. A page that nothing of the request changes is built and compressed once. */
export function makeGuestPages(web: WebApp, style: StyleCookie, documents: Documents): Answerer {
  const built = new Map<string, Encoded>();
  return async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const wanted = documents.requestFor(request, reply);
    const { pathname, search } = new URL(`http://portal.invalid${request.url}`);
    const pattern = web.patternOf(pathname);
    const dependsOn = search !== '' || pattern.includes(':') || Object.keys(wanted.kept ?? {}).length > 0;
    const isSameForAll = pattern === '*' || !dependsOn;
    let bodies = isSameForAll ? built.get(pattern) : undefined;
    if (!bodies) {
      const page = await web.renderGuestPage(wanted);
      if (page.kind === 'redirect' || page.kind === 'unavailable') return documents.send(request, reply, page);
      style.mark(request, reply);
      if (page.kind === 'page' && page.error)
        request.log.error({ err: withoutValues(page.error), screen: page.module }, 'page not rendered');
      if (!isSameForAll && page.kind === 'document') return documents.send(request, reply, page);
      const html = page.kind === 'document' ? buildDocument(web.template, page) : buildGuestPage(web.template, page);
      if (!isSameForAll) return reply.send(html);
      bodies = encode(html);
      built.set(pattern, bodies);
    } else style.mark(request, reply);
    const accepts = request.headers['accept-encoding']?.toString() ?? '';
    const encoding = (['br', 'gzip'] as const).find((name) => accepts.includes(name));
    return encoding ? reply.header('content-encoding', encoding).send(bodies[encoding]) : reply.send(bodies.plain);
  };
}
