import type { Role } from '#contract/permissions.ts';
import { type SchoolAccess, schoolAccess } from '#contract/school-access.ts';
import { sql } from 'kysely';
import { DAY_MS, dayIn } from '../clock.ts';
import { deleteBatch } from '../database/batches.ts';
import type { Database } from '../database/database.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { rawQuery } from '../database/raw-query.ts';

/** How long a session lasts at most, and how long it may lie unused. */
const SESSION_TTL_MS = 90 * DAY_MS;
const IDLE_TIMEOUT_MS = 30 * DAY_MS;
/** How long an account works without a confirmed address. */
export const EMAIL_CONFIRMATION_MS = 7 * DAY_MS;
/** How exact the time of last use is kept: not every request writes. */
const USE_NOTED_EVERY = 3_600_000;

interface SessionTimes {
  tokenHash: Buffer;
  lastUsedAt: Date;
}
/** A member of staff, or a person without a school, behind a token. */
export interface UserSession extends SessionTimes {
  kind: 'user';
  userId: number;
  schoolId: number | null;
  role: Role | null;
  /** The operator behind the session, where it is not the person's own. */
  impersonatorId: number | null;
  /** A password has to be chosen before anything else. */
  requiresPassword: boolean;
  /** Somebody reads the mail of the person's address. */
  hasConfirmedEmail: boolean;
  /** The time to confirm it is over: nothing is open but their own account. */
  mustConfirmEmail: boolean;
  /** The terms of the person's school are accepted; true without a school. */
  hasTerms: boolean;
  /** What the state of the school's subscription allows; `open` without a school. */
  access: SchoolAccess;
  /** False in a session as somebody else: rights of operators are not passed on. */
  isOperator: boolean;
}
/** A pupil in the reading product. */
export interface PupilSession extends SessionTimes {
  kind: 'reader';
  pupilId: number;
  schoolId: number;
}
export type Session = UserSession | PupilSession;

interface SessionRow {
  pupil_id: number | null;
  school_id: number | null;
  last_used_at: Date;
  impersonator_id: number | null;
  user_id: number | null;
  user_school_id: number | null;
  operator_id: number | null;
  require_password_reset: boolean | null;
  email_confirmed_at: Date | null;
  registered_at: Date | null;
}

/** What a member of staff is in their school, and how the school stands. */
interface MemberRow {
  role: Role;
  awaits_terms: boolean;
  subscription_ends_at: Date | null;
  invoice_due_on: string | null;
}

/*
 * Written out and not built: they stand before every request. Two, because a cluster keeps accounts on one machine and
 * schools on others. The second is asked after the first and is the one that counts: whoever has left the school
 * meanwhile is not on its staff. docs/decisions/0068-a-session-in-two-statements.md
 */
const FIND_SESSION = `
  select s.pupil_id, s.school_id, s.last_used_at, s.impersonator_id, s.user_id, u.school_id as user_school_id,
    o.user_id as operator_id, u.require_password_reset, u.email_confirmed_at, u.created_at as registered_at
  from sessions s left join users u on u.id = s.user_id left join operators o on o.user_id = s.user_id
  where s.token_hash = $1 and s.expires_at > $2 and s.last_used_at > $3`;
const FIND_MEMBER = `
  select m.role, c.terms_accepted_at is null as awaits_terms, b.expires_at as subscription_ends_at,
    i.due_date as invoice_due_on
  from staff m join schools c on c.id = $1
    left join subscriptions b on b.school_id = $1 and b.ended_at is null
    left join invoices i on i.school_id = $1 and i.status = 'open'
  where m.school_id = $1 and m.user_id = $2`;

/** Due dates are days in London: an invoice may be paid until the end of its own. */
const accessOf = ({ subscription_ends_at: end, invoice_due_on: due }: MemberRow, now: Date): SchoolAccess =>
  schoolAccess({
    hasSubscription: end !== null,
    hasExpired: end !== null && end <= now,
    hasOutstandingInvoice: due !== null && due < dayIn('Europe/London', now),
  });

/** The session of a token, unless it has ended. */
export async function findSession(database: Database, tokenHash: Buffer, now: Date): Promise<Session | undefined> {
  const [row] = await rawQuery<SessionRow>(database, FIND_SESSION, [
    tokenHash,
    now,
    new Date(now.getTime() - IDLE_TIMEOUT_MS),
  ]);
  if (!row) return undefined;
  const times = { tokenHash, lastUsedAt: row.last_used_at };
  if (row.pupil_id !== null && row.school_id !== null)
    return { kind: 'reader', pupilId: row.pupil_id, schoolId: row.school_id, ...times };
  if (row.user_id === null) return undefined;
  const [member] =
    row.user_school_id === null
      ? []
      : await rawQuery<MemberRow>(database, FIND_MEMBER, [row.user_school_id, row.user_id]);
  return {
    kind: 'user',
    userId: row.user_id,
    schoolId: member ? row.user_school_id : null,
    role: member?.role ?? null,
    impersonatorId: row.impersonator_id,
    requiresPassword: row.require_password_reset === true,
    hasConfirmedEmail: row.email_confirmed_at !== null,
    mustConfirmEmail:
      row.email_confirmed_at === null && row.registered_at !== null && isConfirmationDue(row.registered_at, now),
    hasTerms: member?.awaits_terms !== true,
    access: member ? accessOf(member, now) : 'open',
    isOperator: row.operator_id !== null && row.impersonator_id === null,
    ...times,
  };
}

/** True when somebody who registered then has had their time to confirm the address. */
export const isConfirmationDue = (registeredAt: Date, now: Date): boolean =>
  now.getTime() >= registeredAt.getTime() + EMAIL_CONFIRMATION_MS;

/** True when the time of last use is older than it may be: an hour. */
export const isUseUnnoted = (session: Session, now: Date): boolean =>
  now.getTime() - session.lastUsedAt.getTime() >= USE_NOTED_EVERY;

/** Notes that a session was used. */
export async function touchSession(db: PlatformDb, session: Session, now: Date): Promise<void> {
  await db.tx.updateTable('sessions').set({ last_used_at: now }).where('token_hash', '=', session.tokenHash).execute();
}

interface NewSession {
  tokenHash: Buffer;
  userId?: number;
  schoolId?: number | null;
  pupilId?: number;
  impersonatorId?: number;
  /** Milliseconds that it lasts; 90 days when absent. */
  lasts?: number;
}

/** The insert of a session, also as a part of a larger statement. Plain SQL: every login does it. */
export const sessionInsert = (session: NewSession, now: Date) => sql`
  insert into sessions (token_hash, user_id, school_id, pupil_id, impersonator_id, created_at, last_used_at, expires_at)
  values (${session.tokenHash}, ${session.userId ?? null}, ${session.schoolId ?? null}, ${session.pupilId ?? null},
    ${session.impersonatorId ?? null}, ${now}, ${now}, ${new Date(now.getTime() + (session.lasts ?? SESSION_TTL_MS))})`;

/** Begins a session of a user or of a pupil. */
export async function createSession(db: PlatformDb, session: NewSession, now: Date): Promise<void> {
  await sessionInsert(session, now).execute(db.tx);
}

/** Ends one session. */
export async function removeSession(db: PlatformDb, tokenHash: Buffer): Promise<void> {
  await db.tx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends all sessions of a user, but for the one that goes on. */
export async function removeUserSessions(db: PlatformDb, userId: number, except?: Buffer): Promise<void> {
  const all = db.tx.deleteFrom('sessions').where('user_id', '=', userId);
  await (except ? all.where('token_hash', '!=', except) : all).execute();
}

/** Notes in a user's sessions to which school they belong now. */
export async function moveUserSessions(db: PlatformDb, userId: number, schoolId: number | null): Promise<void> {
  await db.tx.updateTable('sessions').set({ school_id: schoolId }).where('user_id', '=', userId).execute();
}

/** Deletes a batch of expired sessions. Returns the number deleted. */
export const deleteExpiredSessions = (db: PlatformDb, now: Date): Promise<number> =>
  deleteBatch(db, 'sessions', ['token_hash'], sql`expires_at <= ${now}`);

/** Deletes a batch of sessions that have been idle for too long. Returns the number deleted. */
export const deleteIdleSessions = (db: PlatformDb, now: Date): Promise<number> =>
  deleteBatch(db, 'sessions', ['token_hash'], sql`last_used_at <= ${new Date(now.getTime() - IDLE_TIMEOUT_MS)}`);
