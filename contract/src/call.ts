import { z } from 'zod';
import type { ErrorName } from './errors.ts';
import { isSchoolAction, type Permission } from './permissions.ts';

/** Tries allowed in a window, counted per account named in the body, per signed-in user or per address, across all processes. */
export interface RateLimit {
  by: 'address' | 'account' | 'user';
  /** Field of the body that names the account; needed with `by: 'account'`. */
  field?: string;
  tries: number;
  seconds: number;
  /** A success begins afresh, unless successes are what has to be bounded (mails sent). */
  countsSuccesses?: boolean;
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

/** One call of the API: the only place that says its path, who may make it, what it takes and answers. */
export interface Call<
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A extends Permission = Permission,
> {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path under `/v1`, parameters in braces: `/enterprises/{id}`. */
  path: `/${string}`;
  tag: string;
  summary: string;
  /** A longer explanation for the reference, in Markdown. */
  description?: string;
  permission: A;
  params: P;
  query: Q;
  body: B;
  /**
   * With it the call may also be sent as multipart/form-data: the file in this field, the fields of `body`
   * as texts. A body then has to be valid without what the file brings.
   */
  upload?: Upload;
  /** What a reply of status 200 carries. */
  reply: R;
  /** Media types that the call can answer besides JSON. */
  files?: readonly string[];
  /** Errors of its own, besides those that every call of its permission can answer. */
  errors?: readonly ErrorName[];
  rateLimits?: readonly RateLimit[];
  /** Largest body in bytes; 1 MiB when absent. */
  bodyLimit?: number;
}

/** Body or reply of a call that carries nothing. */
const nothing = z.strictObject({});

type Absent = typeof nothing;

type CallSpec<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
  R extends z.ZodType,
  A extends Permission,
> = Omit<Call<P, Q, B, R, A>, 'params' | 'query' | 'body' | 'reply'> & { params?: P; query?: Q; body?: B; reply?: R };

/**
 * Declares a call. Parts left out carry nothing; a body that is not declared is not read.
 * Requests may carry fields that the call does not know; replies may not.
 * Throws when path and params disagree.
 */
export function declareCall<
  P extends z.ZodObject = Absent,
  Q extends z.ZodObject = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUnknown,
  R extends z.ZodType = Absent,
  const A extends Permission = Permission,
>(spec: CallSpec<P, Q, B, R, A>): Call<P, Q, B, R, A> {
  const inPath = [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const declared = Object.keys(spec.params?.shape ?? {});
  if (inPath.sort().join() !== declared.sort().join())
    throw new Error(`${spec.method} ${spec.path} declares the parameters ${declared.join() || 'none'}`);
  return {
    ...spec,
    params: spec.params ?? (nothing as unknown as P),
    query: spec.query ?? (z.object({}) as unknown as Q),
    body: spec.body ?? (z.unknown() as unknown as B),
    reply: spec.reply ?? (nothing as unknown as R),
  };
}

/** True when the call works on the rows of the session's school. */
export const isInSchool = (call: Pick<Call, 'permission'>): boolean =>
  isSchoolAction(call.permission) || call.permission === 'reader';

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
