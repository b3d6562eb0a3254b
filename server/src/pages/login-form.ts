import type { ErrorReply } from '#contract/error-reply.ts';
import { readOwnPath } from '#contract/own-path.ts';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { makeSessionCookie } from '../auth/session-cookie.ts';
import { AppError } from '../errors.ts';

const MAX_FORM_BYTES = 4096;

/** What the login page explains, by the failed login (`ArrivalNotice.tsx`). */
function actionOf(status: number, body: string): string {
  if (status === 429) return 'login-limited';
  if (status >= 500) return 'login-unavailable';
  return (JSON.parse(body) as ErrorReply).code === 'second_factor_required' ? 'login-second-step' : 'login-failed';
}

/**
 * `POST /login`: the login form of a browser that runs no scripts. Logs in through the API's own call, with its limits,
 * and redirects to the page that `?redirect=` names, or back to the form.
 */
export function serveLoginForm(app: FastifyInstance, config: Config) {
  const cookie = makeSessionCookie(config);
  void app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, text, done) => done(null, new URLSearchParams(String(text))),
    );
    // The form itself, with a message, in place of an error: waiting password hashes are bounded.
    const options = { compress: false as const, config: { isAnsweredWhenBusy: () => true } };
    forms.post('/login', options, async (request, reply) => {
      // A form on another site must not log the visitor in as its owner.
      if (!cookie.isOwn(request)) throw new AppError('forbidden');
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const query = new URL(`http://portal.invalid${request.url}`).searchParams;
      const wanted = readOwnPath(query.get('redirect') ?? '');
      const kept = ['host', 'cookie', 'origin', 'sec-fetch-site', 'user-agent', 'x-forwarded-for'].filter(
        (name) => request.headers[name] !== undefined,
      );
      const { statusCode, headers, body } = await app.inject({
        method: 'POST',
        url: '/v1/auth',
        remoteAddress: request.raw.socket.remoteAddress ?? '',
        headers: Object.fromEntries(kept.map((name) => [name, request.headers[name]])),
        payload: { email: form.get('email') ?? '', password: form.get('password') ?? '' },
      });
      if (headers['set-cookie']) reply.header('set-cookie', headers['set-cookie']);
      if (statusCode === 200) return reply.redirect(wanted ?? '/', 303);
      const reason = new URLSearchParams({ action: actionOf(statusCode, body), ...(wanted && { redirect: wanted }) });
      return reply.redirect(`/login?${reason.toString()}`, 303);
    });
  });
}
