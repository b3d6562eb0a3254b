import { z } from 'zod';
import type { ErrorName } from './errors.ts';
import { isSchoolAction, type Permission } from './permissions.ts';
import { type Area, isAreaOpen, type SchoolAccess } from './school-access.ts';

/** Tries allowed in a window, counted per account named in the body, per signed-in user or pupil, or per address, across all processes. */
export interface RateLimit {
  by: 'address' | 'account' | 'user' | 'pupil';
  /** Field of the body that names the account; needed with `by: 'account'`. */
  field?: string;
  tries: number;
  seconds: number;
  /** A success begins afresh, unless successes are what has to be bounded (mails sent). */
  countsSuccesses?: boolean;
  /** With `by: 'address'`: a success gives its try back, so that a whole class behind one address can log in. */
  countsFailuresOnly?: boolean;
  /**
   * With `by: 'account'`: an address from which the account was entered before has a count of its own,
   * so that no stranger's tries lock the owner out.
   */
  trustsKnownAddresses?: boolean;
}

/** A file that a call takes as multipart/form-data, instead of its JSON body or together with it. */
export interface Upload {
  /** The form's field with the file. */
  field: string;
  maxBytes: number;
}

/** Media types of the files that calls answer. */
export type MediaType =
  | 'application/pdf'
  | 'application/zip'
  | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  | 'text/csv';

/** What a call declares. Parts that are left out carry nothing; a body that is not declared is not read. */
type CallSpec = {
  /** Path under `/v1`, parameters in braces: `/enterprises/{id}`. */
  path: `/${string}`;
  tag: string;
  summary: string;
  /** A longer explanation for the reference, in Markdown. */
  description?: string;
  permission: Permission;
  /**
   * Open to somebody who is held at a step of the set-up: `account` calls always are, `school` calls once the person
   * has chosen a password and while they have time to confirm their address, while the school's terms are not accepted.
   * Every other call answers 409 until then.
   */
  setUp?: 'account' | 'school';
  /** Confirms the caller's address: answered also to who has let the time for that pass. */
  confirmsEmail?: true;
  /** Only for the account's owner: an operator who is logged in as a member of staff gets 409. */
  ownerOnly?: true;
  /** What a call in a school is for; `teaching` when absent. Calls in an area that the school's state closes answer 402. */
  area?: Area;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /**
   * With it the call may also be sent as multipart/form-data: the file in this field, the fields of `body`
   * as texts. A body then has to be valid without what the file brings.
   */
  upload?: Upload;
  /** What a reply of status 200 carries. */
  reply?: z.ZodType;
  /** Errors of its own, besides those that every call of its kind can answer: see `errorsOf`. */
  errors?: readonly ErrorName[];
  rateLimits?: readonly RateLimit[];
  /** A request that works, but for its parameters: see `exampleParams`. A test sends it. */
  example?: { query?: Readonly<Record<string, unknown>>; body?: Readonly<Record<string, unknown>> };
  /** Largest body in bytes; 1 MiB when absent. */
  bodyLimit?: number;
} & (
  | {
      method: 'GET';
      /** Files that the call answers: besides the JSON of `reply`, or instead of it where no reply is declared. */
      files?: readonly MediaType[];
    }
  // A reply to a POST is kept for its Idempotency-Key, and a file is not.
  | { method: 'POST' | 'DELETE'; files?: undefined }
);

/** One call of the API: the only place that says its path, who may make it, what it takes and answers. */
export interface Call<
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A extends Permission = Permission,
  F extends MediaType = MediaType,
> extends Omit<CallSpec, 'params' | 'query' | 'body' | 'reply' | 'permission' | 'files'> {
  /** Its key in the API: the `operationId`, the handler's key. */
  name: string;
  permission: A;
  params: P;
  query: Q;
  body: B;
  reply: R;
  files: readonly F[];
}

/** Body or reply of a call that carries nothing. */
const nothing = z.strictObject({});
const anyQuery = z.object({});
const noBody = z.unknown();
/** The reply of a call that answers files alone. */
const fileAlone = z.never();

type Part<S, Name extends string, Absent> = S extends Record<Name, infer T> ? T : Absent;

type CallOf<S extends CallSpec> = Call<
  Part<S, 'params', typeof nothing>,
  Part<S, 'query', z.ZodObject<Record<never, never>>>,
  Part<S, 'body', typeof noBody>,
  Part<S, 'reply', S extends { files: readonly MediaType[] } ? typeof fileAlone : typeof nothing>,
  S['permission'],
  S extends { files: readonly (infer F extends MediaType)[] } ? F : never
>;

/**
 * Declares the calls of a noun by their names.
 * Requests may carry fields that a call does not know; replies may not.
 * Throws when path and params of one disagree.
 */
export function defineCalls<const S extends Record<string, CallSpec>>(
  specs: S,
): { [Name in keyof S]: CallOf<S[Name]> } {
  const calls = Object.entries(specs).map(([name, spec]): [string, Call] => {
    const inPath = [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const declared = Object.keys(spec.params?.shape ?? {});
    if (inPath.sort().join() !== declared.sort().join())
      throw new Error(`${name} declares the parameters ${declared.join() || 'none'} for ${spec.path}`);
    const { params = nothing, query = anyQuery, body = noBody, files = [] } = spec;
    const reply = spec.reply ?? (files.length > 0 ? fileAlone : nothing);
    return [name, { ...spec, name, params, query, body, reply, files }];
  });
  return Object.fromEntries(calls) as { [Name in keyof S]: CallOf<S[Name]> };
}

/** Puts the calls of all nouns together. Throws when two have one address. */
export function defineApi<const A extends Record<string, Call>>(calls: A): A {
  const addresses = Object.values(calls).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
  const twice = addresses.find((address, index) => addresses.indexOf(address) !== index);
  if (twice) throw new Error(`Two calls have the address ${twice}`);
  return calls;
}

/** True when the call answers files and no JSON. */
export const answersFilesAlone = (call: Pick<Call, 'reply'>): boolean => call.reply === fileAlone;

/** True when the call reads a body. */
export const hasBody = (call: Pick<Call, 'body' | 'upload'>): boolean =>
  call.upload !== undefined || call.body !== noBody;

/** True when the call works on the rows of the session's school. */
export const isInSchool = (call: Pick<Call, 'permission'>): boolean =>
  isSchoolAction(call.permission) || call.permission === 'reader';

/** What a member of staff may be held at, of a call's `setUp`. */
export const setUpErrors = (call: Pick<Call, 'permission' | 'setUp' | 'confirmsEmail'>): ErrorName[] => {
  if (call.permission === 'open' || call.permission === 'reader' || call.setUp === 'account') return [];
  const own: ErrorName[] = ['password_reset_required', ...(call.confirmsEmail ? [] : ['email_not_confirmed' as const])];
  return call.setUp === 'school' ? own : [...own, 'terms_not_accepted'];
};

/** The area of a call that staff make in their school; undefined for others. Pupils' reading is accepted in every state. */
export const areaOf = (call: Pick<Call, 'permission' | 'area'>): Area | undefined =>
  isSchoolAction(call.permission) ? (call.area ?? 'teaching') : undefined;

/** What the call answers in each state of the school that closes it. */
const accessErrorsOf = (call: Pick<Call, 'permission' | 'area'>): ErrorName[] => {
  const area = areaOf(call);
  if (!area) return [];
  const states = Object.keys(ACCESS_ERRORS) as (keyof typeof ACCESS_ERRORS)[];
  return states.filter((access) => !isAreaOpen(area, access)).map((access) => ACCESS_ERRORS[access]);
};

/** True when `{id}` in the path is the school, which must be the session's own. */
export const namesSchool = (call: Pick<Call, 'path' | 'permission'>): boolean =>
  isSchoolAction(call.permission) && /^\/enterprises\/\{id\}(\/|$)/.test(call.path);

export type ParamsOf<C extends Call> = z.output<C['params']>;
export type QueryOf<C extends Call> = z.output<C['query']>;
export type BodyOf<C extends Call> = z.output<C['body']>;
/** What a client sends as query, before defaults are filled in. */
export type QueryInputOf<C extends Call> = z.input<C['query']>;
/** What a client sends as body. */
export type BodyInputOf<C extends Call> = z.input<C['body']>;
export type ReplyOf<C extends Call> = z.output<C['reply']>;

/** What a call answers in a state of the school that closes its area. */
export const ACCESS_ERRORS = {
  none: 'subscription_missing',
  expired: 'subscription_expired',
  locked: 'subscription_locked',
} as const satisfies Record<Exclude<SchoolAccess, 'open'>, ErrorName>;

/** Every error that a call can answer: its own and those of its permission, its parts and its method. */
export function errorsOf(call: Call): ReadonlySet<ErrorName> {
  const errors = new Set<ErrorName>(call.errors);
  if (call.permission !== 'open') errors.add('unauthorised');
  if (isInSchool(call) && call.permission !== 'reader') errors.add('forbidden').add('not_found');
  if (call.permission === 'operator') errors.add('forbidden');
  for (const error of accessErrorsOf(call)) errors.add(error);
  if (Object.keys(call.params.shape).length > 0) errors.add('not_found');
  for (const error of setUpErrors(call)) errors.add(error);
  if (call.ownerOnly) errors.add('not_while_impersonating');
  if (Object.keys(call.query.shape).length > 0 || hasBody(call)) errors.add('validation');
  // A call that takes no body reads one all the same where it is sent, and two changes at once can meet.
  if (call.method !== 'GET') errors.add('malformed_body').add('body_too_large').add('unsupported_type').add('conflict');
  if (call.rateLimits || call.upload) errors.add('too_many_requests');
  if (call.method === 'POST' && call.permission !== 'open') errors.add('idempotency_key_reused').add('validation');
  return errors.add('server_error').add('unavailable');
}
