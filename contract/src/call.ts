import { z } from 'zod';
import type { ErrorName } from './errors.ts';
import { isSchoolAction, type Permission } from './permissions.ts';
import type { ProgramScope } from './programs.ts';
import type { ViewKind, ViewScreen } from './record-views.ts';
import { type Area, isAreaOpen, type SchoolAccess } from './school-access.ts';

/** Attempts allowed in a window, counted across all processes per account named in the body, signed-in user, pupil or IP address. */
export interface RateLimit {
  by: 'address' | 'account' | 'user' | 'pupil';
  /** The body field that names the account; required with `by: 'account'`. */
  field?: string;
  tries: number;
  seconds: number;
  /** By default a success resets the count. True counts successes too, for example to limit emails. */
  countsSuccesses?: boolean;
  /** With `by: 'address'`: successes do not count, so that a whole class behind one address can log in. */
  countsFailuresOnly?: boolean;
  /**
   * Each known device of the account that the body names, and each network where pupils of the named pupil's school log in,
   * is counted on its own, so that a stranger's attempts do not lock the owner out.
   */
  countsKnownApart?: boolean;
  /**
   * By default further attempts are rejected until the window ends. True: each further one only has to wait, for 5
   * seconds at first and twice as long each time, up to 5 minutes. The count ends `seconds` after the latest attempt.
   */
  slowsDown?: boolean;
}

/** A file that a call accepts as multipart/form-data, instead of or together with its JSON body. */
export interface Upload {
  /** The form field that contains the file. */
  field: string;
  maxBytes: number;
}

/** Media types of the files that calls return. */
export type MediaType =
  | 'application/pdf'
  | 'application/zip'
  | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  | 'text/csv'
  /** One JSON object per line. */
  | 'application/jsonl';

/**
 * Whether a call that returns files needs a login or a proof of identity in the last 15 minutes (`POST users/me/proof`):
 * always, only for a file (another `output` than `json`), or never, with the reason.
 */
type FileProof = { needsProof: true | 'file'; noProof?: undefined } | { needsProof?: undefined; noProof: string };

/** What a view is called, and the screen that it belongs to. */
interface ViewLabel {
  what: ViewKind;
  screen: ViewScreen;
  /** The screen of a reply about one pupil, if that is another one. */
  screenAlone?: ViewScreen;
}

/** How a view of the files is recorded, or why they say nothing about a pupil that has to be recorded. */
type FileViews = { views: ViewLabel; noViews?: undefined } | { views?: undefined; noViews: string };

/** The declaration of a call. Omitted parts are empty; an undeclared body is not read. */
type CallSpec = {
  /** Path under `/v1`, with parameters in braces: `/enterprises/{id}`. */
  path: `/${string}`;
  tag: string;
  summary: string;
  /** A longer explanation for the API reference, in Markdown. */
  description?: string;
  permission: Permission;
  /**
   * Allows the call before set-up is complete. `account`: always. `school`: before the school has accepted the terms, but
   * only after the user has chosen a password and while their deadline for confirming the address has not passed. Every
   * other call returns 409 until then.
   */
  setUp?: 'account' | 'school';
  /** Also works after the caller's deadline for confirming their address: it confirms it, or describes their school's state. */
  whileUnconfirmed?: true;
  /** Only for the account's owner: an operator logged in as a member of staff gets 409. */
  ownerOnly?: true;
  /** Needs a confirmed address, also before the deadline: an unconfirmed one may be a stranger's, who must not stay. */
  needsConfirmedEmail?: true;
  /** A change that staff can make while their school is closed. */
  whileClosed?: true;
  /** A call about the caller's own account that a supply teacher can make, whose account has no address. */
  withoutAddress?: true;
  /**
   * Programs can make the call: with this scope, or any without one. `isWholeSchool`: not a program that is limited to some
   * classes. A call without it is closed to them.
   */
  program?: { scope?: ProgramScope; isWholeSchool?: true };
  /** The area of the product; `teaching` by default. Calls return 402 while the state of the subscription closes their area. */
  area?: Area;
  /**
   * How a view is recorded when the reply contains data about pupils (`markChildData`), or a file that shows some. A file is
   * recorded as a file, the reply to a change as a change.
   */
  views?: ViewLabel;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /**
   * Allows multipart/form-data: the file in this field, the fields of `body` as text. The body must be valid without the
   * data in the file.
   */
  upload?: Upload;
  /** The body of a 200 reply. */
  reply?: z.ZodType;
  /** Errors in addition to those that every call of its kind can return; see `errorsOf`. */
  errors?: readonly ErrorName[];
  rateLimits?: readonly RateLimit[];
  /** A working request; its path parameters are in `exampleParams`. A test sends it. */
  example?: { query?: Readonly<Record<string, unknown>>; body?: Readonly<Record<string, unknown>> };
  /** A body that is rejected by a rule that the schema does not show, and the messages of its fields. A test sends it. */
  rejected?: { body: Readonly<Record<string, unknown>>; errors: Readonly<Record<string, string[]>> };
  /** Maximum size of the body in bytes; 1 MiB by default. */
  bodyLimit?: number;
} & (
  | ({
      method: 'GET';
      /** Files that the call can return, in addition to or, without `reply`, instead of JSON. */
      files: readonly MediaType[];
      /** Its URL is a link that people open in a browser, which gets a page in place of a JSON error. */
      isLink?: true;
    } & FileProof &
      FileViews)
  // Replies to POST are stored for their Idempotency-Key; files cannot be.
  | {
      method: 'GET' | 'POST' | 'DELETE';
      files?: undefined;
      isLink?: undefined;
      /** Needs a login or a proof of identity in the last 15 minutes. */
      needsProof?: true;
      noProof?: undefined;
      noViews?: undefined;
    }
);

/** One call of the API: the single definition of its path, permission, request and reply. */
export interface Call<
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A extends Permission = Permission,
  F extends MediaType = MediaType,
> extends Omit<CallSpec, 'params' | 'query' | 'body' | 'reply' | 'permission' | 'files'> {
  /** Its key in the API, used as `operationId` and for its handler. */
  name: string;
  permission: A;
  params: P;
  query: Q;
  body: B;
  reply: R;
  files: readonly F[];
}

/** An empty body or reply. */
const nothing = z.strictObject({});
const anyQuery = z.object({});
const noBody = z.unknown();
/** The reply of a call that returns only files. */
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
 * Declares the calls of one feature, keyed by name. A body may have unknown fields; replies may not, and outside production queries may not.
 * Throws when a call's path and parameters disagree, or it needs a proof for files that its query cannot ask for.
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
    if (spec.needsProof === 'file' && !Object.hasOwn(query.shape, 'output'))
      throw new Error(`${name} needs a proof for a file, and takes no output`);
    return [name, { ...spec, name, params, query, body, reply, files }];
  });
  return Object.fromEntries(calls) as { [Name in keyof S]: CallOf<S[Name]> };
}

/** Combines the calls of all features. Throws when two have the same method and path. */
export function defineApi<const A extends Record<string, Call>>(calls: A): A {
  const endpoints = Object.values(calls).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
  const duplicate = endpoints.find((endpoint, index) => endpoints.indexOf(endpoint) !== index);
  if (duplicate) throw new Error(`Two calls have the path ${duplicate}`);
  return calls;
}

/** True when the call returns only files. */
export const answersFilesAlone = (call: Pick<Call, 'reply'>): boolean => call.reply === fileAlone;

/** True when the call reads a body. */
export const hasBody = (call: Pick<Call, 'body' | 'upload'>): boolean =>
  call.upload !== undefined || call.body !== noBody;

/** True when the call works on the data of the session's school. */
export const isInSchool = (call: Pick<Call, 'permission'>): boolean =>
  isSchoolAction(call.permission) || call.permission === 'reader' || call.permission === 'program';

/** True when the header `Portal-School` can name the school for which staff make the call. */
export const takesSchoolHeader = (call: Pick<Call, 'permission'>): boolean =>
  call.permission !== 'open' && call.permission !== 'reader';

/** The errors that a call returns while set-up is incomplete. */
export const setUpErrors = (call: Pick<Call, 'permission' | 'setUp' | 'whileUnconfirmed'>): ErrorName[] => {
  if (call.permission === 'open' || call.permission === 'reader' || call.setUp === 'account') return [];
  if (call.permission === 'program') return ['terms_not_accepted'];
  const own: ErrorName[] = [
    'password_reset_required',
    ...(call.whileUnconfirmed ? [] : ['email_not_confirmed' as const]),
    'provider_required',
  ];
  return call.setUp === 'school' ? own : [...own, 'terms_not_accepted'];
};

/** The area of a call made by school staff or programs; undefined for other calls. Pupils can always submit their reading. */
export const areaOf = (call: Pick<Call, 'permission' | 'area'>): Area | undefined =>
  isSchoolAction(call.permission) || call.permission === 'program' ? (call.area ?? 'teaching') : undefined;

/** True when staff of a closed school can make the call: it changes nothing, or is meant for that time. */
export const isOpenWhileClosed = (call: Pick<Call, 'method' | 'whileClosed'>): boolean =>
  call.method === 'GET' || call.whileClosed === true;

/** True when a supply teacher cannot make the call, because it is about an account with an address. */
export const isClosedToSupply = ({
  permission,
  withoutAddress,
}: Pick<Call, 'permission' | 'withoutAddress'>): boolean => permission === 'user' && withoutAddress !== true;

/** The errors that the call returns while the state of the subscription closes its area. */
const accessErrorsOf = (call: Pick<Call, 'permission' | 'area' | 'method' | 'whileClosed'>): ErrorName[] => {
  const area = areaOf(call);
  if (!area) return [];
  const states = Object.keys(ACCESS_ERRORS) as (keyof typeof ACCESS_ERRORS)[];
  return states
    .filter((access) => !isAreaOpen(area, access) || (access === 'closed' && !isOpenWhileClosed(call)))
    .map((access) => ACCESS_ERRORS[access]);
};

/** True when `{id}` in the path is a school, which must be the session's. */
export const namesSchool = (call: Pick<Call, 'path' | 'permission'>): boolean =>
  isInSchool(call) && /^\/enterprises\/\{id\}(\/|$)/.test(call.path);

export type ParamsOf<C extends Call> = z.output<C['params']>;
export type QueryOf<C extends Call> = z.output<C['query']>;
export type BodyOf<C extends Call> = z.output<C['body']>;
/** The query that a client sends, before defaults are applied. */
export type QueryInputOf<C extends Call> = z.input<C['query']>;
/** The body that a client sends. */
export type BodyInputOf<C extends Call> = z.input<C['body']>;
export type ReplyOf<C extends Call> = z.output<C['reply']>;

/** The error for each state that closes an area. */
export const ACCESS_ERRORS = {
  none: 'subscription_missing',
  expired: 'subscription_expired',
  locked: 'subscription_locked',
  closed: 'school_closed',
  support: 'support_not_allowed',
} as const satisfies Record<Exclude<SchoolAccess, 'open'>, ErrorName>;

/** True when a request to the call needs a recent proof of identity. */
export const isProofNeeded = ({ needsProof }: Pick<Call, 'needsProof'>, { output = 'json' }: { output?: unknown }) =>
  needsProof === true || (needsProof === 'file' && output !== 'json');

/** The errors that a call returns to programs. */
function programErrorsOf({ permission, program }: Pick<Call, 'permission' | 'program'>): ErrorName[] {
  if (permission === 'open' || permission === 'reader') return [];
  if (!program) return ['not_for_programs'];
  return [
    'too_many_requests',
    ...(program.scope ? ['program_scope_missing' as const] : []),
    ...(program.isWholeSchool ? ['program_limited' as const] : []),
  ];
}

/** Every error that a call can return: its own and those implied by its permission, parameters and method. */
export function errorsOf(call: Call): ReadonlySet<ErrorName> {
  const errors = new Set<ErrorName>(call.errors);
  if (call.permission !== 'open') errors.add('unauthorised');
  if (takesSchoolHeader(call)) errors.add('school_switched');
  if (isInSchool(call) && call.permission !== 'reader') errors.add('forbidden').add('not_found');
  if (call.permission === 'operator' || isClosedToSupply(call)) errors.add('forbidden');
  for (const error of programErrorsOf(call)) errors.add(error);
  for (const error of accessErrorsOf(call)) errors.add(error);
  if (Object.keys(call.params.shape).length > 0) errors.add('not_found');
  for (const error of setUpErrors(call)) errors.add(error);
  if (call.ownerOnly) errors.add('not_while_impersonating');
  if (call.needsConfirmedEmail) errors.add('email_not_confirmed');
  // An operator logged in as a member of staff cannot prove that they are that person.
  if (call.needsProof) errors.add('proof_required').add('not_while_impersonating');
  // A body is parsed even if the call does not declare one, and concurrent changes can conflict.
  if (call.method !== 'GET') errors.add('malformed_body').add('body_too_large').add('unsupported_type').add('conflict');
  if (call.rateLimits || call.upload) errors.add('too_many_requests');
  if (call.method === 'POST' && call.permission !== 'open') errors.add('idempotency_key_reused');
  // Outside production every call rejects unknown parameters.
  return errors.add('validation').add('server_error').add('unavailable').add('busy');
}
