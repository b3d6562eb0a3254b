import type { z } from 'zod';
import type { BodyInputOf, Call, QueryInputOf, ReplyOf } from '#contract/call.ts';
import type { PageReply } from '#contract/pages.ts';
import { urlOf, type Params, type Query } from './url.ts';
import { ApiError, readRetryAfter } from './api-error.ts';
import { withBusyRetry } from './busy.ts';
import { leaveForLogout, withLogin } from './ended-session.ts';
import { getPageScope } from './page-scope.ts';
import { withProof } from './proof.ts';
import { getSession } from './session.ts';
import { inSchoolOfPage, schoolHeaders } from './switched-school.ts';

/** Paths and queries accept numbers as well as digits. */
type Loose<T> = T extends string ? T | `${T}` | number : T extends object ? { [K in keyof T]: Loose<T[K]> } : T;
type ParamsSent<C extends Call> = { [K in keyof z.input<C['params']>]: string | number };

/** A part of the input: absent when it is empty, optional when all its members are. */
type Part<Name extends string, T> = string extends keyof T
  ? { [K in Name]?: undefined }
  : object extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** The input of a call, derived from its declaration. The body is a FormData where files are sent. */
export type CallInput<C extends Call> = Part<'params', ParamsSent<C>> &
  Part<'query', Loose<QueryInputOf<C>>> & { body?: BodyInputOf<C> | FormData };

interface CallOptions {
  signal?: AbortSignal;
  /** A repeated request with the same key within a day returns the first reply. */
  idempotencyKey?: string;
}

type Arguments<C extends Call> =
  object extends CallInput<C> ? [input?: CallInput<C> & CallOptions] : [input: CallInput<C> & CallOptions];

/** Error codes for users who must complete a set-up step first. */
const SET_UP_STEPS: readonly (string | undefined)[] = [
  'password_reset_required',
  'email_not_confirmed',
  'provider_required',
  'terms_not_accepted',
];

let handleSetUpRequired = (): void => window.location.reload();

/** Registers what happens when a set-up step comes first. By default the page reloads. */
export function onSetUpRequired(handler: () => void): void {
  handleSetUpRequired = handler;
}

let handlePaymentRequired = (): void => window.location.reload();

/** Registers what happens when a payment or subscription comes first. By default the page reloads. */
export function onPaymentRequired(handler: () => void): void {
  handlePaymentRequired = handler;
}

/**
 * Sends a call and returns its reply, after asking the user who they are when the call needs a recent login, to log in
 * again when their session has ended, and to switch back when it has moved to another of their schools. Sends it again while the server is too busy to begin with it. Throws an
 * ApiError, or the AbortError of its signal.
 */
export function call<C extends Call>(spec: C, ...input: Arguments<C>): Promise<ReplyOf<C>> {
  // A page is rendered once, and the browser calls again.
  if (getPageScope()) return send(spec, ...input);
  const signal = input[0]?.signal;
  const isAction = spec.method !== 'GET';
  const sendPatiently = () =>
    inSchoolOfPage(() => withProof(() => withBusyRetry(() => send(spec, ...input), signal)), isAction);
  // A login or logout changes the session itself.
  return spec.path === '/auth' ? sendPatiently() : withLogin(sendPatiently, { isAction, signal });
}

async function send<C extends Call>(spec: C, ...[input]: Arguments<C>): Promise<ReplyOf<C>> {
  const {
    params,
    query,
    body,
    signal,
    idempotencyKey,
  }: { params?: Params; query?: Query; body?: unknown } & CallOptions = (input ?? {}) as object;
  const url = urlOf(spec.path, params, query);
  // The session is in a cookie that the browser sends.
  const key = getSession()?.key;
  const scope = getPageScope();
  const headers = new Headers({ Accept: 'application/json', ...schoolHeaders(spec) });
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey);
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json');

  const response = await responseOf(
    scope?.fetch(url, spec.method === 'GET' ? undefined : { method: spec.method, body, idempotencyKey }) ??
      fetch(url, {
        method: spec.method,
        headers,
        signal: signal ?? null,
        body: body === undefined ? null : isForm ? body : JSON.stringify(body),
      }),
  );
  const reply = await readJson(response);
  if (response.ok) return (reply ?? {}) as ReplyOf<C>;

  const error = new ApiError(response.status, reply ?? {}, readRetryAfter(response));
  if (scope) throw error;
  // A failed logout needs no redirect, and a reply to an earlier session does not affect the current one.
  if (error.status === 403 && spec.path !== '/auth' && getSession()?.key === key) leaveForLogout();
  if (SET_UP_STEPS.includes(error.code) && getSession()?.key === key) handleSetUpRequired();
  const isClosed = error.status === 402 || error.code === 'support_not_allowed' || error.code === 'school_closed';
  if (isClosed && getSession()?.key === key) handlePaymentRequired();
  throw error;
}

async function responseOf(request: Promise<PageReply>): Promise<PageReply> {
  try {
    return await request;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError(0, { error: 'Error: Network Error', error_type: 'network' });
  }
}

async function readJson(response: PageReply): Promise<unknown> {
  if (response.status === 204 || !response.headers.get('Content-Type')?.includes('json')) return null;
  try {
    return await response.json();
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    return null;
  }
}
