import type { z } from 'zod';
import type { BodyInputOf, Call, QueryInputOf, ReplyOf } from '#contract/call.ts';
import { addressOf, type Params, type Query } from './address.ts';
import { ApiError } from './api-error.ts';
import { getPageScope } from './page-scope.ts';
import { getSession } from './session.ts';

/** In a path or query a number does as well as its digits. */
type Loose<T> = T extends string ? T | `${T}` | number : T extends object ? { [K in keyof T]: Loose<T[K]> } : T;
type ParamsSent<C extends Call> = { [K in keyof z.input<C['params']>]: string | number };

/** A part of the input: left out when it carries nothing, optional when all of it is. */
type Part<Name extends string, T> = string extends keyof T
  ? { [K in Name]?: undefined }
  : object extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** What a call takes, derived from its declaration. A body is a FormData where files are sent. */
export type CallInput<C extends Call> = Part<'params', ParamsSent<C>> &
  Part<'query', Loose<QueryInputOf<C>>> & { body?: BodyInputOf<C> | FormData };

interface CallOptions {
  signal?: AbortSignal;
  /** The same key from the same person within a day is answered again and done once. */
  idempotencyKey?: string;
}

type Arguments<C extends Call> =
  object extends CallInput<C> ? [input?: CallInput<C> & CallOptions] : [input: CallInput<C> & CallOptions];

let refused = (): void => window.location.assign('/logout');

/** Says what happens when the server refuses the session: by default the page goes to /logout. */
export function onUnauthorised(handler: () => void): void {
  refused = handler;
}

/** What the server says of somebody who has a step of the set-up before them, in the codes of its errors. */
const SET_UP_STEPS: readonly (string | undefined)[] = [
  'password_reset_required',
  'email_not_confirmed',
  'terms_not_accepted',
];

let held = (): void => window.location.reload();

/** Says what happens when the server asks for a step of the set-up first: by default the page is loaded afresh. */
export function onSetUpRequired(handler: () => void): void {
  held = handler;
}

let locked = (): void => window.location.reload();

/** Says what happens when the server asks for a payment, or a subscription, first: by default the page is loaded afresh. */
export function onPaymentRequired(handler: () => void): void {
  locked = handler;
}

/** Makes a call of the contract and answers its reply. Throws an ApiError otherwise, or the abort of its signal. */
export async function call<C extends Call>(spec: C, ...[input]: Arguments<C>): Promise<ReplyOf<C>> {
  const {
    params,
    query,
    body,
    signal,
    idempotencyKey,
  }: { params?: Params; query?: Query; body?: unknown } & CallOptions = (input ?? {}) as object;
  const address = addressOf(spec.path, params, query);
  // The session itself is in a cookie that the browser sends along.
  const key = getSession()?.key;
  const scope = getPageScope();
  const headers = new Headers({ Accept: 'application/json' });
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey);
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json');

  const response = await answerOf(
    scope?.fetch(address) ??
      fetch(address, {
        method: spec.method,
        headers,
        signal: signal ?? null,
        body: body === undefined ? null : isForm ? body : JSON.stringify(body),
      }),
  );
  const reply = await readJson(response);
  if (response.ok) return (reply ?? {}) as ReplyOf<C>;

  const seconds = Number(response.headers.get('Retry-After'));
  const error = new ApiError(response.status, reply ?? {}, seconds > 0 ? seconds : undefined);
  const isOver = error.status === 403 || (error.status === 401 && error.error === 'Unauthorised');
  // A logout that fails is over anyway; and an answer to an older session says nothing about this one.
  if (scope) throw error;
  if (isOver && spec.path !== '/auth' && getSession()?.key === key) refused();
  if (SET_UP_STEPS.includes(error.code) && getSession()?.key === key) held();
  if (error.status === 402 && getSession()?.key === key) locked();
  throw error;
}

async function answerOf(request: Promise<Response>): Promise<Response> {
  try {
    return await request;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError(0, { error: 'Error: Network Error', error_type: 'network' });
  }
}

async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204 || !response.headers.get('Content-Type')?.includes('json')) return null;
  try {
    return await response.json();
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    return null;
  }
}
