import {
  ACCESS_ERRORS,
  areaOf,
  type Call,
  isClosedToSupply,
  isInSchool,
  isOpenWhileClosed,
  isProofNeeded,
  namesSchool,
  setUpErrors,
} from '#contract/call.ts';
import { isSchoolAction, roleAllows } from '#contract/permissions.ts';
import { isAreaOpen } from '#contract/school-access.ts';
import type { FastifyRequest } from 'fastify';
import { nameSession } from '../auth/client.ts';
import type { ProgramGrant } from '../auth/program-grant.ts';
import { findProgramSession } from '../auth/programs.queries.ts';
import type { PortalCookie } from '../auth/session-cookie.ts';
import { oncePerPage } from '../auth/session-of-page.ts';
import {
  findSession,
  isProved,
  isTouchDue,
  type Session,
  touchSession,
  type UserSession,
} from '../auth/sessions.queries.ts';
import type { Database } from '../database/database.ts';
import { inPlatform, readInPlatform } from '../database/platform.ts';
import { AppError } from '../errors.ts';
import { isUnavailable } from './error-answers.ts';

/**
 * The session of a token, unless it has ended. Records its use, unless writes are waiting: then a later request records
 * it.
 */
async function useSession(database: Database, tokenHash: Buffer, now: Date): Promise<Session | undefined> {
  const session = await readInPlatform(database, (db) => findSession(db, tokenHash, now));
  if (session && isTouchDue(session, now) && database.writes.waitingCount === 0)
    await inPlatform(database, (db) => touchSession(db, session, now)).catch((error: unknown) => {
      // Reading continues when the disk is full.
      if (!isUnavailable(error)) throw error;
    });
  return session;
}

/** The session that a request names, unless it has ended; looked up once for the calls of one page. */
export async function findCaller(
  database: Database,
  request: FastifyRequest,
  cookie: PortalCookie,
  now: Date,
): Promise<Session | undefined> {
  const named = nameSession(request, cookie);
  if (!named) return undefined;
  if (named.isProgram) return readInPlatform(database, (db) => findProgramSession(db, named.tokenHash, now));
  return oncePerPage(named.tokenHash, () => useSession(database, named.tokenHash, now));
}

/**
 * Returns the caller of a request if their session and role permit this call; undefined for an open call. Throws
 * `unauthorised`, `forbidden`, `not_found` for another school, the set-up step that is missing, or the error of the
 * school's subscription.
 */
export async function authenticate(
  database: Database,
  call: Call,
  request: FastifyRequest,
  cookie: PortalCookie,
  clearCookie: () => void,
  now: Date,
): Promise<Session | undefined> {
  if (call.permission === 'open') return undefined;
  const named = nameSession(request, cookie);
  if (!named) throw new AppError('unauthorised');
  const session = await findCaller(database, request, cookie, now);
  if (!session) {
    if (named.isCookie) clearCookie();
    throw new AppError('unauthorised');
  }
  // A pupil's token is invalid for staff calls, and the reverse.
  if ((call.permission === 'reader') !== (session.kind === 'reader')) throw new AppError('unauthorised');
  if (session.kind === 'user' && session.program) assertOpenToProgram(call, session.program);
  else if (call.permission === 'program') throw new AppError('forbidden', { text: FOR_PROGRAMS });
  if (call.permission === 'operator' && !(session.kind === 'user' && session.isOperator))
    throw new AppError('forbidden');
  if (session.kind === 'user') assertSameSchool(request, session);
  if (session.kind === 'user' && session.role === 'supply_teacher' && isClosedToSupply(call))
    throw new AppError('forbidden');
  if (session.kind === 'user' && isInSchool(call)) {
    if (session.schoolId === null || session.role === null) throw new AppError('forbidden');
    // Before the role check, so that another school's path answers the same to everyone.
    if (namesSchool(call) && (request.params as { id?: string }).id !== String(session.schoolId))
      throw new AppError('not_found');
    if (isSchoolAction(call.permission) && !roleAllows(session.role, call.permission)) throw new AppError('forbidden');
  }
  if (session.kind === 'user') {
    if (call.ownerOnly && session.impersonatorId !== null) throw new AppError('not_while_impersonating');
    assertAccountReady(call, session);
    assertCallOpen(call, session);
    if (call.needsConfirmedEmail && !session.hasConfirmedEmail) throw new AppError('email_not_confirmed');
    if (isProofNeeded(call, request.query as { output?: unknown })) assertProved(session, now);
  }
  return session;
}

const FOR_PROGRAMS = 'Only a program can make this call. Make a token for it on the page of the school.';

/** Throws unless a scope of the program permits the call: a call that declares none is closed to programs. */
function assertOpenToProgram({ program: rule }: Call, { scopes, classIds }: ProgramGrant): void {
  if (!rule) throw new AppError('not_for_programs');
  if (rule.scope && !scopes.includes(rule.scope)) throw new AppError('program_scope_missing');
  if (rule.isWholeSchool && classIds) throw new AppError('program_limited');
}

/** Throws `school_switched` when the request is meant for another school than the session is in: see docs/decisions/memberships.md. */
function assertSameSchool({ headers }: FastifyRequest, { schoolId }: UserSession): void {
  const named = headers['portal-school'];
  if (named !== undefined && named !== String(schoolId)) throw new AppError('school_switched');
}

/**
 * Throws `proof_required` unless the user has logged in or proved who they are in the last 15 minutes. An operator logged in
 * as a member of staff has no way to, and gets `not_while_impersonating`.
 */
export function assertProved(session: UserSession, now: Date): void {
  if (session.impersonatorId !== null) throw new AppError('not_while_impersonating');
  if (!isProved(session, now)) throw new AppError('proof_required');
}

/** Throws the set-up step that must come before this call. Not a 403, on which a client logs out. */
function assertAccountReady(call: Call, session: UserSession): void {
  const isHeld = {
    password_reset_required: session.requiresPassword,
    email_not_confirmed: session.mustConfirmEmail,
    // An address is confirmed first, on a screen that shows the state of the school.
    provider_required: session.mustUseProvider && !session.mustConfirmEmail,
    terms_not_accepted: !session.hasTerms,
  };
  for (const error of setUpErrors(call)) if (isHeld[error as keyof typeof isHeld]) throw new AppError(error);
}

/**
 * Throws when the state of the school closes the area of the call; the set-up steps come before the first subscription.
 */
function assertCallOpen(call: Call, session: UserSession): void {
  const area = areaOf(call);
  if (!area || (call.setUp === 'school' && !session.hasTerms)) return;
  if (session.access !== 'open' && !isAreaOpen(area, session.access)) throw new AppError(ACCESS_ERRORS[session.access]);
  if (session.isSchoolClosed && !isOpenWhileClosed(call)) throw new AppError('school_closed');
}
