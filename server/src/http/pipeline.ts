import { type Api, api } from '#contract/api.ts';
import {
  type BodyOf,
  type Call,
  errorsOf,
  isInSchool,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '#contract/call.ts';
import type { SchoolAction } from '#contract/permissions.ts';
import { fieldErrors } from '#contract/validation.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { RecordViews } from '../audit/record-views.ts';
import { storeViews } from '../audit/record-views.queries.ts';
import { compileShownPupils } from '../audit/shown-pupils.ts';
import type { Services, StaffSession } from '../context.ts';
import type { Database } from '../database/database.ts';
import { readInPlatform, inPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { readInSchool, inSchool, type SchoolDb } from '../database/school.ts';
import { authenticate } from './authenticate.ts';
import { compressionOf } from './compression.ts';
import { AppError } from '../errors.ts';
import { errorAnswer, toAppError } from './error-answers.ts';
import { isForFile, runForFile } from './file-queue.ts';
import { handleOnce, keyUseOf } from './idempotency.ts';
import { findFirstReply, type KeyUse } from './idempotency.queries.ts';
import { type CountedAttempt, resetAttempts, limitRate, type RateLimitSubject } from './rate-limit.ts';
import type { PupilSession, Session, UserSession } from '../auth/sessions.queries.ts';
import { isPrefetch } from './prefetch.ts';
import { noteProgramUse } from './program-use.ts';
import type { FileReply } from '../file-reply.ts';
import { sendReply } from './replies.ts';
import type { ErrorPage } from './server.ts';
import { makeDeviceCookie, makeSessionCookie, type PortalCookie } from '../auth/session-cookie.ts';
import { type Client, clientOf } from '../auth/client.ts';
import { readUpload, type UploadedFile } from './upload.ts';
import { currentRequest, runInRequest } from '../logging/request-scope.ts';
import { runUpload } from './upload-queue.ts';
import { ownerOf } from './work-owner.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Who looked at pupils' records, waiting to be stored. */
    recordViews: RecordViews;
  }
}

type SessionFor<C extends Call> = C['permission'] extends 'open'
  ? undefined
  : C['permission'] extends 'reader'
    ? PupilSession
    : C['permission'] extends SchoolAction | 'program'
      ? StaffSession
      : UserSession;

type DbFor<C extends Call> = C['permission'] extends 'open' | 'user' | 'operator' ? PlatformDb : SchoolDb;

/** A validated request, before its transaction. */
export interface RequestContext<C extends Call> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  /** The file, if the call accepts one and the request has it. */
  upload: UploadedFile | undefined;
  me: SessionFor<C>;
  now: Date;
  client: Client;
  /**
   * Names the pupils whose data a file contains, or a reply that does not have their IDs, so that the view is recorded.
   * Not needed when the request names them.
   */
  shows: (pupilIds: readonly number[]) => void;
  services: Services;
}

/**
 * A validated request and the transactions that a step before its own may open: in the caller's school, or across schools
 * where the call's permission is.
 */
export interface PrepareContext<C extends Call> extends RequestContext<C> {
  read: <T>(work: (db: DbFor<C>) => Promise<T>) => Promise<T>;
  write: <T>(work: (db: DbFor<C>) => Promise<T>) => Promise<T>;
}

/** A validated request inside its transaction. */
export interface HandlerContext<C extends Call, Prepared> extends RequestContext<C> {
  db: DbFor<C>;
  prepared: Prepared;
}

type AnswerOf<C extends Call> = ReplyOf<C> | FileReply<C['files'][number]>;

/** Answers a call in one transaction: read-only for a GET, unless it declares `writes`. */
interface TransactionHandler<C extends Call, Prepared = never> {
  /**
   * Work that must not keep a transaction open, such as hashing or reading a file. `handle` receives its result; see
   * `withPrepare`.
   */
  prepare?: (context: PrepareContext<C>) => Promise<Prepared>;
  /** For a GET that records something: it waits for a write slot, like every other method. */
  writes?: true;
  handle: (handling: HandlerContext<C, Prepared>) => Promise<AnswerOf<C>>;
}

/** Answers a call that needs no transaction, or opens its own for part of its work. */
interface DirectHandler<C extends Call> {
  answer: (request: RequestContext<C>) => Promise<AnswerOf<C>>;
  /** For a GET that always records something, in a transaction of its own. */
  writes?: true;
}

type Handler<C extends Call, Prepared = never> = TransactionHandler<C, Prepared> | DirectHandler<C>;

/** A handler for each call: a call without one does not compile. */
export type Handlers = { [Name in keyof Api]: Handler<Api[Name]> };

/** The handlers of some calls, each typed by the declaration of its name. */
export const defineHandlers = <Name extends keyof Api>(handlers: Pick<Handlers, Name>): Pick<Handlers, Name> =>
  handlers;

/** A handler with a step before its transaction. */
export const withPrepare = <C extends Call, Prepared>(
  handler: TransactionHandler<C, Prepared> & { prepare: (context: PrepareContext<C>) => Promise<Prepared> },
): Handler<C> => handler as unknown as Handler<C>;

/**
 * Registers the calls. The steps of every request: session > permission > set-up > subscription > parse > idempotency >
 * rate limit > prepare > school scope > handle > reply.
 * @param isStrict validates each reply by its schema and rejects undeclared errors and unknown parameters; for development
 *   and tests
 * @param linkErrorPage the page of a link that fails
 */
export function serveRoutes(
  app: FastifyInstance,
  handlers: Handlers,
  services: Services,
  isStrict: boolean,
  linkErrorPage?: ErrorPage,
): void {
  const views = new RecordViews(
    (schoolId, rows) => inSchool(services.database, schoolId, (db) => storeViews(db, rows)),
    app.log,
  );
  app.decorate('recordViews', views);
  app.addHook('onClose', () => views.close());
  const cookie = makeSessionCookie(services.config);
  const deviceCookie = makeDeviceCookie(services.config);
  const cookies = { device: deviceCookie, session: cookie };
  const arrivals = new WeakMap<FastifyRequest, { now: Date; me: Session | undefined; isCounted: boolean }>();
  for (const call of Object.values<Call>(api)) {
    const handler = handlers[call.name as keyof Api] as unknown as Handler<Call, unknown>;
    const declared = errorsOf(call);
    const findShownPupils = compileShownPupils(call);
    app.route({
      method: call.method,
      url: `/v1${call.path.replace(/\{(\w+)\}/g, ':$1')}`,
      ...(call.bodyLimit ? { bodyLimit: call.bodyLimit } : {}),
      ...compressionOf(call.method),
      ...(call.isLink && linkErrorPage ? { config: { errorPage: linkErrorPage } } : {}),
      // Before the body is read, so that unknown callers cannot fill the server's memory.
      onRequest: async (request, reply) => {
        const now = services.clock.now();
        const clearCookie = () => cookie.clear(reply);
        const me = await authenticate(services.database, call, request, cookie, clearCookie, now);
        if (me?.kind === 'user' && me.program)
          await noteProgramUse(services, { ...me, program: me.program }, request.ip, now);
        arrivals.set(request, { now, me, isCounted: false });
      },
      errorHandler: async (thrown, request) => {
        const arrival = arrivals.get(request);
        const error = toAppError(thrown);
        // A request that could not be parsed counts as an attempt.
        if (arrival && !arrival.isCounted && errorAnswer(error).status < 429)
          await limitRate(services, call, subjectOf(clientOf(request, cookies), arrival.me, undefined), arrival.now);
        if (!declared.has(error.kind)) {
          const text = `${call.name} answers ${error.kind}, which it does not declare`;
          if (isStrict) throw new AppError('server_error', { text });
          request.log.error({ call: call.name, error: error.kind }, 'undeclared error');
        }
        throw thrown;
      },
      handler: withOwner(call, arrivals, async (request, reply) => {
        const arrival = arrivals.get(request);
        if (!arrival) throw new Error('A request was handled before it was authenticated.');
        // What no one has opened is not sent, so that it is no view.
        if (findShownPupils && isPrefetch(request)) throw new AppError('unavailable');
        const { now, me } = arrival;
        let shownPupils: readonly number[] | undefined;
        const context: RequestContext<Call> = {
          ...(await parse(call, request, isStrict)),
          me: me as never,
          now,
          client: clientOf(request, cookies),
          shows: (pupilIds) => (shownPupils = pupilIds),
          services,
        };
        const use = keyUseOf(call, request, context, me);
        // Before the request is evaluated again: after a changed password, the old one is no longer valid.
        const first = use && (await readInPlatform(services.database, (db) => findFirstReply(db, use)));
        arrival.isCounted = true;
        // A HEAD request receives nothing.
        const recordView = (answer: unknown) => {
          if (me?.kind !== 'user' || request.method === 'HEAD') return;
          const shown = findShownPupils?.(answer, { ...context, shown: shownPupils });
          if (shown) views.record(shown, me, now);
        };
        if (first) {
          recordView(first.reply);
          return sendReply(reply, call, first.reply, isStrict);
        }
        const attempts = await limitRate(services, call, subjectOf(context.client, me, context.body), now);
        const answer =
          'answer' in handler
            ? await handler.answer(context)
            : await performInTransaction(handler, call, { context, use, me, attempts });
        recordView(answer);
        if (context.client.session?.newToken) cookie.set(reply, context.client.session.newToken);
        if (cookie.isOwn(request)) {
          // The link to a new password proves who the user is, like a login.
          const isKnown = keepSession(cookie, reply, call, answer) || call.name === 'resetPassword';
          if (isKnown && context.client.deviceToken) deviceCookie.set(reply, context.client.deviceToken);
        }
        return sendReply(reply, call, answer, isStrict);
      }),
    });
  }
}

type RequestHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * Wraps a handler so that its work takes the turns of the caller, a request for a file is counted, and one with a file
 * waits in the upload queue before its body is read.
 */
const withOwner =
  (
    call: Call,
    arrivals: WeakMap<FastifyRequest, { me: Session | undefined }>,
    handle: RequestHandler,
  ): RequestHandler =>
  async (request, reply) => {
    const me = arrivals.get(request)?.me;
    const owner = ownerOf(me, request.ip);
    const run = () => runInRequest({ ...currentRequest(), requestId: request.id, owner }, () => handle(request, reply));
    if (me?.kind !== 'user') return run();
    if (isForFile(call, request.query as object)) return runForFile(owner, run);
    if (!call.upload || !request.isMultipart()) return run();
    const disconnected = new AbortController();
    // The reply closes when the client disconnects; the request closes as soon as its body is read.
    reply.raw.once('close', () => disconnected.abort(new AppError('malformed_body')));
    return runUpload(owner, call.upload.maxBytes, disconnected.signal, run);
  };

const subjectOf = (client: Client, me: Session | undefined, body: unknown): RateLimitSubject => ({
  client,
  userId: me?.kind === 'user' && !me.program ? me.userId : undefined,
  pupilKey: me?.kind === 'reader' ? `${me.schoolId}:${me.pupilId}` : undefined,
  body,
});

/** Sets or clears the session cookie when the call logs the user in or out. Returns whether it logged a user in. */
function keepSession(cookie: PortalCookie, reply: FastifyReply, call: Call, answer: unknown): boolean {
  if (call.name === 'logOut') cookie.clear(reply);
  const { user, meta } = answer as { user?: object; meta?: { token?: string } };
  // A pupil's token, which comes without a user, gives no access here.
  if (!user || typeof meta?.token !== 'string') return false;
  cookie.set(reply, meta.token);
  return true;
}

async function parse(
  call: Call,
  request: FastifyRequest,
  isStrict: boolean,
): Promise<Pick<RequestContext<Call>, 'params' | 'query' | 'body' | 'upload'>> {
  // A malformed ID matches nothing.
  const params = call.params.safeParse(request.params);
  if (!params.success) throw new AppError('not_found');
  const query = call.query.safeParse(request.query);
  const { file, fields: sent } = request.isMultipart()
    ? await readUpload(request, call.upload)
    : { file: undefined, fields: request.body };
  const body = call.body.safeParse(sent);
  const fields = { ...unknownParameters(call, request, isStrict), ...wrongFields(query), ...wrongFields(body) };
  if (Object.keys(fields).length > 0) throw new AppError('validation', { fields });
  return { params: params.data, query: query.data ?? {}, body: body.data, upload: file };
}

/**
 * The parameters that the call does not declare. In production they are logged and ignored, because a client may be of another
 * release.
 */
function unknownParameters(call: Call, request: FastifyRequest, isStrict: boolean): Record<string, string[]> {
  const unknown = Object.keys(request.query as object).filter((name) => !Object.hasOwn(call.query.shape, name));
  if (unknown.length === 0) return {};
  if (isStrict) return Object.fromEntries(unknown.map((name) => [name, ['This parameter is unknown.']]));
  // What looks like no name may be anything, such as a pupil's.
  const names = unknown.filter((name) => /^[a-z_]{1,30}$/.test(name)).slice(0, 5);
  request.log.warn({ call: call.name, names }, 'unknown parameters were ignored');
  return {};
}

const wrongFields = (result: z.ZodSafeParseResult<unknown>) => (result.success ? {} : fieldErrors(result.error));

/** Prepares a call, then handles it in the kind of transaction that it needs. */
async function performInTransaction(
  handler: TransactionHandler<Call, unknown>,
  call: Call,
  {
    context,
    use,
    me,
    attempts,
  }: {
    context: RequestContext<Call>;
    use: KeyUse | undefined;
    me: Session | undefined;
    attempts: readonly CountedAttempt[];
  },
): Promise<unknown> {
  const { read, write } = transactionsOf(call, context.services.database, me);
  const prepared = await handler.prepare?.({ ...context, read, write });
  const isReadOnly = call.method === 'GET' && !handler.writes;
  const handle = (db: SchoolDb | PlatformDb) =>
    handleOnce(db.tx, use, async () => {
      // Before the handler enters a school's scope; rolled back when the call fails.
      if (!isReadOnly && !isInSchool(call)) await resetAttempts(db as PlatformDb, attempts);
      return handler.handle({ ...context, db: db as never, prepared });
    });
  return (isReadOnly ? read : write)(handle);
}

/** The transactions of a call: in the caller's school, or across schools where its permission is. */
function transactionsOf(
  call: Call,
  database: Database,
  me: Session | undefined,
): Pick<PrepareContext<Call>, 'read' | 'write'> {
  const schoolId = isInSchool(call) ? me?.schoolId : undefined;
  return schoolId
    ? {
        read: (work) => readInSchool(database, schoolId, (db) => work(db as never)),
        write: (work) => inSchool(database, schoolId, (db) => work(db as never)),
      }
    : {
        read: (work) => readInPlatform(database, (db) => work(db as never)),
        write: (work) => inPlatform(database, (db) => work(db as never)),
      };
}
