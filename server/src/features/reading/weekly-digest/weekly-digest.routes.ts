import { digestCalls } from '#contract/calls/weekly-digest.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { readInPlatform, inPlatform } from '../../../database/platform.ts';
import { AppError } from '../../../errors.ts';
import { errorAnswer } from '../../../http/error-answers.ts';
import type { Services } from '../../../context.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { limitRate } from '../../../http/rate-limit.ts';
import { escapeHtml } from '../../../mail/layout.ts';
import { getDigestLink, unsubscribe } from './weekly-digest.service.ts';

export const digestHandlers = defineHandlers({
  unsubscribeFromDigest: {
    handle: async ({ db, body }) => {
      await unsubscribe(db, body.token);
      return {};
    },
  },
});

const STYLE = `:root{color-scheme:light dark}body{margin:0;padding:32px 16px;background:#faf8f4;color:#1f272b;font:16px/1.55 'Segoe UI',system-ui,sans-serif}
main{max-width:32rem;margin:auto;padding:32px;border:1px solid #e4dfd5;border-radius:12px;background:#fff}h1{margin:0 0 20px;font-size:24px;line-height:1.25}
a{color:#0c5160}button{padding:13px 22px;border:0;border-radius:8px;background:#0c5160;color:#fff;font:inherit;font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid #b8860b;outline-offset:2px}
@media(prefers-color-scheme:dark){body{background:#161c1f;color:#e8e6e1}main{background:#1d2428;border-color:#323c41}a{color:#8ccbd5}button{background:#8ccbd5;color:#161c1f}}`;

/** @param content HTML; `title` is text */
const page = (product: string, title: string, content: string): string =>
  `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(`${title} | ${product}`)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`;

/**
 * The page of an unsubscribe link: plain HTML that works without a login or scripts. Opening it changes nothing, because
 * mail scanners open every link. Its button, and that of mail programs (RFC 8058), post to the same URL.
 */
export async function serveDigestPages(app: FastifyInstance, services: Services): Promise<void> {
  const { database, clock, config } = services;
  const send = (reply: FastifyReply, title: string, content: string) =>
    reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page(config.productName, title, content));
  const account = `<a href="${escapeHtml(config.publicUrl)}/account">your account</a>`;
  await app.register(async (pages) => {
    // The URL has all that is needed, so any body is accepted and ignored.
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 16_384 }, (_request, _text, done) => done(null));
    pages.setErrorHandler((thrown, _request, reply) => {
      if (!(thrown instanceof AppError)) throw thrown;
      const { status, body } = errorAnswer(thrown);
      if (thrown.details.retryAfter) reply.header('retry-after', String(thrown.details.retryAfter));
      return send(reply.status(status), 'Something went wrong', `<p>${escapeHtml(body.error)}</p>`);
    });
    const path = '/digest/unsubscribe/:token';
    pages.get<{ Params: { token: string } }>(path, async ({ params }, reply) => {
      await readInPlatform(database, (db) => getDigestLink(db, params.token));
      return send(
        reply,
        'Stop the weekly email?',
        `<p>Every Monday it summarises what your classes read. You can switch it on again in ${account}.</p><form method="post"><button>Stop the weekly email</button></form>`,
      );
    });
    pages.post<{ Params: { token: string } }>(path, async ({ params, ip }, reply) => {
      const client = { userAgent: '', deviceToken: null, session: null, address: ip };
      await limitRate(services, digestCalls.unsubscribeFromDigest, { client, body: params }, clock.now());
      await inPlatform(database, (db) => unsubscribe(db, params.token));
      return send(
        reply,
        'The weekly email has stopped',
        `<p>You will not get any more of these emails. You can switch them on again in ${account}.</p>`,
      );
    });
  });
}
