import type { GuestDocument, KeptValues, PageRequest } from '#contract/pages.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { makeInviteCookie, makeLoginStepCookie, makeSessionCookie, type PortalCookie } from '../auth/session-cookie.ts';
import type { Services } from '../context.ts';
import { AppError } from '../errors.ts';
import type { ErrorPage } from '../http/server.ts';
import { callInProcess } from './call-in-process.ts';
import type { LogOut } from './log-out.ts';
import { buildDocument } from './page-template.ts';
import type { WebApp } from './web-app.ts';

/** A passkey is up to 20,000 bytes, which a form encodes. */
const MAX_FORM_BYTES = 32_768;

/** As the page of an unavailable portal says. */
const PAGE_RETRY_S = 10;
export const pageUnavailable = () => new AppError('unavailable', { retryAfter: PAGE_RETRY_S });

export type Documents = ReturnType<typeof makeDocuments>;

/** Pages without the app: HTML with forms that the browser sends to the page's own address. */
export function makeDocuments(app: FastifyInstance, web: WebApp, logOut: LogOut, { config, clock }: Services) {
  const session = makeSessionCookie(config);
  const keepers: Record<keyof KeptValues, PortalCookie> = {
    invite: makeInviteCookie(config),
    step: makeLoginStepCookie(config),
  };
  const names = Object.keys(keepers) as (keyof KeptValues)[];

  const keptIn = (request: FastifyRequest): KeptValues =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = keepers[name].read(request);
        return value === undefined ? [] : [[name, value]];
      }),
    );

  /** Everything that a page of this request is rendered from. */
  const requestFor = (request: FastifyRequest, reply: FastifyReply): PageRequest => ({
    url: request.url,
    cookies: request.headers.cookie ?? '',
    fetch: (address, change) => callInProcess(app, request, reply, address, change),
    now: clock.now().getTime(),
    kept: keptIn(request),
  });

  async function send(request: FastifyRequest, reply: FastifyReply, page: GuestDocument): Promise<FastifyReply> {
    if (page.kind === 'unavailable') throw pageUnavailable();
    if (page.kind === 'redirect' && page.endsSession) await logOut.end(request, reply);
    const isForm = request.method === 'POST';
    for (const name of names) {
      const value = page.keep?.[name];
      if (value) keepers[name].set(reply, value);
      else if (value === null && keepers[name].read(request) !== undefined) keepers[name].clear(reply);
    }
    if (page.kind === 'redirect') {
      // The script of guest pages goes there itself: it cannot see where a redirect leads.
      if (isForm && request.headers.accept?.startsWith('application/json')) return reply.send({ to: page.to });
      return reply.redirect(page.to, isForm ? 303 : 302);
    }
    if (page.retryAfter) reply.header('retry-after', page.retryAfter);
    // The content security policy blocks a redirect of a form to another site.
    if (page.leavesTo) reply.header('refresh', `0; url=${page.leavesTo}`);
    return reply.status(page.status).type('text/html; charset=utf-8').send(buildDocument(web.template, page));
  }

  /** Registers the addresses of the forms. */
  function serveForms(errorPage: ErrorPage): void {
    void app.register(async (forms) => {
      forms.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
        (_request, text, done) => done(null, text),
      );
      // The form itself, with a message, in place of an error: waiting password hashes are bounded.
      const options = { compress: false as const, config: { errorPage, isAnsweredWhenBusy: () => true } };
      for (const path of web.formPaths)
        forms.post(path, options, async (request, reply) => {
          // A form on another site must not log the visitor in as its owner.
          if (!session.isOwn(request)) throw new AppError('forbidden');
          reply.header('cache-control', 'no-store');
          const form = typeof request.body === 'string' ? request.body : '';
          return send(request, reply, await web.submitForm(requestFor(request, reply), form));
        });
    });
  }

  return { requestFor, send, serveForms };
}
