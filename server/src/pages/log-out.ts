import { isPrefetch } from '../http/prefetch.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  LOG_OUT_DONE,
  LOG_OUT_PENDING,
  makeInviteCookie,
  makeLogOutCookie,
  makeSessionCookie,
} from '../auth/session-cookie.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { ErrorPage } from '../http/server.ts';

/** How long a log out waits for the database. */
const REVOKE_TIMEOUT_MS = 3000;

type Route = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Logging out in a browser: with the form, by opening `/logout`, and after a log out that did not arrive. */
export interface LogOut {
  /** Ends the request's session, which the user's other tabs follow. The rest of the request is a guest's. */
  end: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Registers `GET /logout`. `sendPage` renders the page that asks first. */
  servePage: (options: { sendPage: Route; errorPage: ErrorPage }) => void;
}

/** Opened by the person in the address bar, or from one of the portal's own pages. */
const isIntended = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'none' || headers['sec-fetch-site'] === 'same-origin';

/** Keeps why the person comes to the login, such as `?redirect=`. */
function leadToLogin(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { search } = new URL(`http://portal.invalid${request.url}`);
  return reply.header('cache-control', 'no-store').redirect(`/login${search}`, 303);
}

/**
 * Serves `POST /logout`, and ends the session of each request with the log-out cookie before anything else. Register it
 * before the routes to which this applies. docs/decisions/logging-out.md
 */
export function serveLogOut(app: FastifyInstance, config: Config): LogOut {
  const session = makeSessionCookie(config);
  const logOut = makeLogOutCookie(config);
  const invite = makeInviteCookie(config);

  /** Resolves to whether the session has ended. One that starts to wait goes on after the timeout. */
  async function revoke(token: string): Promise<boolean> {
    const answered = new AbortController();
    const call = app.inject({ method: 'DELETE', url: '/v1/auth', headers: { authorization: `Bearer ${token}` } });
    const timeout = wait(REVOKE_TIMEOUT_MS, false, { signal: answered.signal }).catch(() => false);
    try {
      // 401: it had ended before.
      return await Promise.race([call.then(({ statusCode }) => statusCode === 200 || statusCode === 401), timeout]);
    } finally {
      answered.abort();
    }
  }

  /** Ends the request's session. The rest of the request is a guest's. */
  async function end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = session.read(request);
    session.clear(reply);
    // The next person who logs in on a shared device has not chosen to accept it.
    if (invite.read(request) !== undefined) invite.clear(reply);
    for (const cookie of [session, logOut, invite]) cookie.remove(request);
    // Without a database the session ends only by its own limits, but no one can use it: on a shared device the cookie
    // is what counts.
    if (token !== undefined && !(await revoke(token))) request.log.warn('a log out could not end its session');
  }

  async function endInAllTabs(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await end(request, reply);
    logOut.set(reply, LOG_OUT_DONE);
  }

  app.addHook('onRequest', async (request, reply) => {
    if (logOut.read(request) !== LOG_OUT_PENDING) return;
    logOut.clear(reply);
    await end(request, reply);
  });

  void app.register(async (forms) => {
    // The form has no fields.
    forms.addContentTypeParser('application/x-www-form-urlencoded', { bodyLimit: 1024 }, (_request, body, done) => {
      body.resume();
      done(null);
    });
    const options = { compress: false as const, config: { isAnsweredWhenBusy: () => true } };
    forms.post('/logout', options, async (request, reply) => {
      // A form on another site must not log the visitor out.
      if (!session.isOwn(request)) throw new AppError('forbidden');
      await endInAllTabs(request, reply);
      return leadToLogin(request, reply);
    });
  });

  return {
    end: endInAllTabs,
    servePage({ sendPage, errorPage }) {
      const endsSession = (request: FastifyRequest) => isIntended(request) || session.read(request) === undefined;
      app.get('/logout', { config: { errorPage, isAnsweredWhenBusy: endsSession } }, async (request, reply) => {
        // The browser discards a failed prefetch and asks again when the person opens the page.
        if (isPrefetch(request)) return reply.header('cache-control', 'no-store').status(503).send();
        if (request.method !== 'GET' || !endsSession(request)) return sendPage(request, reply);
        await endInAllTabs(request, reply);
        return leadToLogin(request, reply);
      });
    },
  };
}
