import type { SignInOutcome } from '#contract/calls/sign-in-providers.ts';
import type { RateLimit } from '#contract/call.ts';
import { readOwnPath } from '#contract/own-path.ts';
import { pageOfLoginStep } from '#contract/login-step.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { browserOf, type Client } from '../../../auth/client.ts';
import {
  makeDeviceCookie,
  makeLoginStepCookie,
  makeSessionCookie,
  makeSignInCookie,
} from '../../../auth/session-cookie.ts';
import { consumeSignInState } from '../../../auth/login-steps.queries.ts';
import { inPlatform } from '../../../database/platform.ts';
import { isUnavailable, toAppError } from '../../../http/error-answers.ts';
import { UnreachableError } from '../../../http/outbound-fetch.ts';
import type { Services } from '../../../context.ts';
import { type CountedAttempt, limitRate, resetAttempts } from '../../../http/rate-limit.ts';
import { countEvent } from '../../../logging/event-counts.ts';
import type { SignInProvider } from '../../../sign-in-settings.ts';
import { readPerson } from './provider-claims.service.ts';
import { makeProviderClient, makeSecrets } from './provider-client.service.ts';
import { sealFlow, type SignInFlow, type SignInPurpose, unsealFlow, unsealTicket } from './sign-in-flow.service.ts';
import { acceptInvitation, type Invitations, link, logIn, type SignInResult } from './sign-in.service.ts';

const limited = (path: `/${string}`, rateLimit: RateLimit) =>
  ({ method: 'GET', path, rateLimits: [rateLimit] }) as const;
/** Each asks the provider for nothing but its description. */
const START = limited('/sign-in', { by: 'address', tries: 300, seconds: 300, countsSuccesses: true });
const CALLBACK = limited('/sign-in/callback', { by: 'address', tries: 100, seconds: 300, countsFailuresOnly: true });

/** The longest path that fits into the cookie with the rest. */
const MAX_REDIRECT_LENGTH = 1000;
/** A link in an invitation is a UUID. */
const INVITATION = /^[\da-f-]{36}$/i;

type Query = Record<string, unknown>;
const textIn = (query: Query, name: string): string | undefined => {
  const value = query[name];
  return typeof value === 'string' ? value : undefined;
};

/** The page that explains how a sign-in ended. */
function pageOf({ purpose, redirect }: Pick<SignInFlow, 'purpose' | 'redirect'>, outcome: SignInOutcome): string {
  const query = new URLSearchParams({ 'sign-in': outcome });
  if (purpose.kind === 'invitation') return `/invite/${purpose.token}?${query.toString()}`;
  if (purpose.kind === 'link' && !purpose.isSetUp) return `/account/security?${query.toString()}`;
  if (purpose.kind === 'link') return outcome === 'linked' ? '/' : `/setup?${query.toString()}`;
  if (redirect) query.set('redirect', redirect);
  return `/login?${query.toString()}`;
}

const AT_LOGIN = { purpose: { kind: 'log-in' }, redirect: null } as const;

/**
 * `GET /sign-in/PROVIDER` sends the browser to a provider, whose callback ends the sign-in that began in the same browser.
 * Links and redirects alone, so that signing in works without scripts.
 */
export async function serveSignIn(app: FastifyInstance, services: Services, invitations: Invitations): Promise<void> {
  const { config, clock, database } = services;
  if (config.signInProviders.length === 0) return;
  const cookie = makeSignInCookie(config);
  const sessionCookie = makeSessionCookie(config);
  const deviceCookie = makeDeviceCookie(config);
  const stepCookie = makeLoginStepCookie(config);
  const cookies = { device: deviceCookie, session: sessionCookie };
  const client = makeProviderClient(config, clock);
  const findProvider = (request: FastifyRequest): SignInProvider | undefined =>
    config.signInProviders.find(({ id }) => id === (request.params as { provider: string }).provider);
  const leave = (reply: FastifyReply, to: string) => reply.header('cache-control', 'no-store').redirect(to, 303);

  /** Counts this request; undefined when its address has tried too often. */
  async function countAttempt(call: typeof START, request: FastifyRequest): Promise<CountedAttempt[] | undefined> {
    try {
      const subject = { client: browserOf(request, cookies), body: undefined };
      return await limitRate(services, call, subject, clock.now());
    } catch (error) {
      if (toAppError(error).kind === 'too_many_requests') return undefined;
      throw error;
    }
  }

  app.get('/sign-in/:provider', async (request, reply) => {
    const query = request.query as Query;
    const now = clock.now();
    const provider = findProvider(request);
    const redirect = readOwnPath(textIn(query, 'redirect') ?? '');
    const purpose = provider && readPurpose(request, provider, now);
    if (!provider || !purpose) return leave(reply, pageOf(AT_LOGIN, 'failed'));
    const secrets = makeSecrets();
    const flow: SignInFlow = {
      provider: provider.id,
      purpose,
      redirect: redirect !== undefined && redirect.length <= MAX_REDIRECT_LENGTH ? redirect : null,
      begunAt: now.getTime(),
      ...secrets,
    };
    if (!(await countAttempt(START, request))) return leave(reply, pageOf(flow, 'limited'));
    const url = await client.signInUrl(provider, secrets).catch((error: unknown) => {
      request.log.warn({ provider: provider.id, ...reasonOf(error) }, 'sign-in provider unreachable');
      return undefined;
    });
    if (url === undefined) return leave(reply, pageOf(flow, 'unavailable'));
    cookie.set(reply, sealFlow(config, flow));
    return leave(reply, url);
  });

  function readPurpose(request: FastifyRequest, provider: SignInProvider, now: Date): SignInPurpose | undefined {
    const query = request.query as Query;
    const ticket = textIn(query, 'ticket');
    const token = textIn(query, 'invitation');
    if (ticket === undefined && token === undefined) return { kind: 'log-in' };
    // A link on another site must not make the visitor join a school or link an account.
    if (!cookie.isOwn(request)) return undefined;
    if (ticket !== undefined) return unsealTicket(config, ticket, provider.id, now);
    return token !== undefined && INVITATION.test(token)
      ? { kind: 'invitation', token: token.toLowerCase() }
      : undefined;
  }

  app.get('/sign-in/:provider/callback', async (request, reply) => {
    const now = clock.now();
    const sealed = cookie.read(request);
    cookie.clear(reply);
    const provider = findProvider(request);
    // Without the cookie the sign-in began in another browser: its owner, not this visitor, would be logged in here.
    const flow = sealed === undefined ? undefined : unsealFlow(config, sealed, now);
    const attempts = await countAttempt(CALLBACK, request);
    if (!attempts) return leave(reply, pageOf(flow ?? AT_LOGIN, 'limited'));
    if (!provider || flow?.provider !== provider.id) {
      countEvent('login_rejected');
      return leave(reply, pageOf(AT_LOGIN, 'failed'));
    }
    // Once: a browser without the cookie gets a new token each time.
    const browser = browserOf(request, cookies);
    const result = await finish(request, browser, provider, flow, now);
    if (result.kind === 'message') {
      if (result.outcome === 'linked') await countSuccess(attempts);
      return leave(reply, pageOf(flow, result.outcome));
    }
    await countSuccess(attempts);
    if (result.kind === 'second-step') {
      const { to, keep } = pageOfLoginStep(result.step, flow.redirect ?? undefined);
      if (keep.step !== null) stepCookie.set(reply, keep.step);
      return leave(reply, to);
    }
    sessionCookie.set(reply, result.token);
    deviceCookie.set(reply, browser.deviceToken);
    return leave(reply, flow.redirect ?? '/');
  });

  const countSuccess = (attempts: readonly CountedAttempt[]) =>
    inPlatform(database, (db) => resetAttempts(db, attempts));

  async function finish(
    request: FastifyRequest,
    browser: Client,
    provider: SignInProvider,
    { purpose, ...secrets }: SignInFlow,
    now: Date,
  ): Promise<SignInResult> {
    const fail = (outcome: SignInOutcome): SignInResult => {
      countEvent('login_rejected');
      return { kind: 'message', outcome };
    };
    let token: object;
    try {
      token = await client.exchange(provider, new URL(request.url, config.publicUrl).search, secrets);
    } catch (error) {
      const isAway = error instanceof UnreachableError;
      request.log.warn({ provider: provider.id, ...reasonOf(error) }, 'sign-in failed');
      return fail(isAway ? 'unavailable' : 'failed');
    }
    const person = readPerson(provider, token);
    if (!person) return fail('not-allowed');
    const signIn = { provider, person, client: browser, now, config };
    try {
      return await inPlatform(database, async (db) => {
        // A copy of the cookie is worth nothing, even if the provider accepts its code again.
        if (!(await consumeSignInState(db, secrets.state, now))) return fail('failed');
        if (purpose.kind === 'invitation') return acceptInvitation(db, invitations, purpose.token, signIn);
        return purpose.kind === 'link' ? link(db, purpose, signIn) : logIn(db, signIn);
      });
    } catch (error) {
      const { kind } = toAppError(error);
      if (kind === 'duplicate_email' || kind === 'invite_for_another') return fail('email-taken');
      if (kind === 'server_error' || isUnavailable(error)) throw error;
      return fail('failed');
    }
  }
}

/** Why a sign-in failed, without anything that the provider or the visitor sent. */
function reasonOf(error: unknown): { code: string } {
  const { cause, name } = error as Error;
  const coded = [error, cause].find((failure) => typeof (failure as { code?: unknown } | undefined)?.code === 'string');
  return { code: coded ? (coded as { code: string }).code : name };
}
