import type { Role } from '#contract/permissions.ts';
import type { SchoolAccess } from '#contract/school-access.ts';
import { CompiledQuery, sql } from 'kysely';
import { DAY_MS } from '../clock.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { accessOf, type SchoolState, STATE_COLUMNS, STATE_JOINS } from './school-state.ts';
import { type FactorPolicy, needsFactor } from './factor-policy.ts';
import { needsProvider, type ProviderPolicy } from './provider-policy.ts';
import { removeLoginSteps } from './login-steps.queries.ts';
import type { ProgramGrant } from './program-grant.ts';
import { hashToken, newToken } from './tokens.ts';

// What starts and ends a session: `features/accounts/access/sessions.service.ts`.

/** The maximum lifetime of a session, and how long it may be idle. */
const SESSION_TTL_MS = 90 * DAY_MS;
export const IDLE_TIMEOUT_MS = 30 * DAY_MS;
/** How long an account works without a confirmed address. */
export const EMAIL_CONFIRMATION_MS = 7 * DAY_MS;
/** The precision of the time of last use, so that not every request writes. */
const TOUCH_INTERVAL_MS = 3_600_000;
/** How long a login or a proof of identity permits calls that need one. */
const PROOF_TTL_MS = 15 * 60_000;

interface SessionTimes {
  tokenHash: Buffer;
  lastUsedAt: Date;
}
/** The session of a member of staff in one of their schools, or of a user without a school. */
export interface UserSession extends SessionTimes {
  kind: 'user';
  userId: number;
  schoolId: number | null;
  role: Role | null;
  /** The IDs of the classes that the user covers in the school. */
  covers: readonly number[];
  /** The operator who is impersonating the user; null in the user's own session. */
  impersonatorId: number | null;
  /** When the user last logged in or proved who they are; null in an impersonated session. */
  provedAt: Date | null;
  /** The user must choose a password before anything else. */
  requiresPassword: boolean;
  /** The user has confirmed that they read mail at this address. */
  hasConfirmedEmail: boolean;
  /**
   * The deadline to confirm the address has passed, or the user must add a factor, which needs a confirmed address: only
   * their own account is open.
   */
  mustConfirmEmail: boolean;
  /** The session began at a sign-in provider. */
  isFromProvider: boolean;
  /** The school logs in through its providers only, and this session did not: it opens nothing of the school. */
  mustUseProvider: boolean;
  /** The user has a second factor, or proved one at the provider. */
  hasFactor: boolean;
  /** The school has accepted the terms; true without a school. */
  hasTerms: boolean;
  /** The school is closed: its staff can only read, and support with them. */
  isSchoolClosed: boolean;
  /** What the school's state allows, or in a session of support the school's admins; `open` without a school. */
  access: SchoolAccess;
  /** False in an impersonated session: operators' permissions are not passed on. */
  isOperator: boolean;
  /** The program that acts for the user; null in a person's own session. */
  program: ProgramGrant | null;
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
  operator_session_hash: Buffer | null;
  proved_at: Date | null;
  user_id: number | null;
  operator_id: number | null;
  require_password_reset: boolean | null;
  email_confirmed_at: Date | null;
  registered_at: Date | null;
  has_factor: boolean;
  linked_account_id: number | null;
}

/** A member of staff's role in their school, and the state of the school. */
interface MemberRow extends FactorPolicy, ProviderPolicy, SchoolState {
  role: Role;
  covers: number[];
  awaits_terms: boolean;
}

/*
 * Plain SQL, because every request runs it. Two statements, because a cluster stores accounts on one machine and schools
 * on others. The second runs after the first and decides: a user who has left the school meanwhile is not on its staff.
 * docs/decisions/session-cookie.md
 */
const FIND_SESSION = `
  select s.pupil_id, s.school_id, s.last_used_at, s.impersonator_id, s.operator_session_hash, s.proved_at, s.user_id,
    o.user_id as operator_id, u.require_password_reset, u.email_confirmed_at, u.created_at as registered_at, s.linked_account_id,
    s.has_provider_factor or
      exists (select from login_factors f where f.user_id = s.user_id and f.confirmed_at is not null) as has_factor
  from sessions s left join users u on u.id = s.user_id left join operators o on o.user_id = s.user_id
  where s.token_hash = $1 and s.expires_at > $2 and s.last_used_at > $3`;
const FIND_MEMBER = `
  select m.role, array(select v.class_id from covers v
      where v.school_id = $1 and v.user_id = $2 and v.ends_at > $3) as covers,
    c.terms_accepted_at is null as awaits_terms, c.admins_factor_from, c.teachers_factor_from, c.time_zone, c.is_provider_only,
    ${STATE_COLUMNS}
  from staff m join schools c on c.id = $1 ${STATE_JOINS}
  where m.school_id = $1 and m.user_id = $2 and m.until is null`;
/** In a session of support. */
const FIND_PERMISSION = 'select from support_permissions where school_id = $1 and expires_at > $2';

/** The session of a token, unless it has ended. */
export async function findSession(db: PlatformDb, tokenHash: Buffer, now: Date): Promise<Session | undefined> {
  const query = async <Row>(text: string, values: unknown[]) =>
    (await db.tx.executeQuery<Row>(CompiledQuery.raw(text, values))).rows[0];
  const row = await query<SessionRow>(FIND_SESSION, [tokenHash, now, new Date(now.getTime() - IDLE_TIMEOUT_MS)]);
  if (!row) return undefined;
  const times = { tokenHash, lastUsedAt: row.last_used_at };
  if (row.pupil_id !== null && row.school_id !== null)
    return { kind: 'reader', pupilId: row.pupil_id, schoolId: row.school_id, ...times };
  if (row.user_id === null) return undefined;
  if (row.impersonator_id !== null && !(await isOperatorSession(db, row.operator_session_hash, now))) return undefined;
  const member =
    row.school_id === null ? undefined : await query<MemberRow>(FIND_MEMBER, [row.school_id, row.user_id, now]);
  if (member?.role === 'supply_teacher' && member.covers.length === 0) return undefined;
  const isFromProvider = row.linked_account_id !== null;
  const mustUseProvider =
    member !== undefined && row.impersonator_id === null && !isFromProvider && needsProvider(member.role, member);
  // The factor is that of the login at the provider, and until then nothing of the school is open.
  const mustAddFactor = isFactorMissing(row, mustUseProvider ? undefined : member, now);
  // A factor can be added to a confirmed address alone, so that comes first.
  if (mustAddFactor && row.email_confirmed_at !== null) return undefined;
  const isWithoutPermission =
    member && row.impersonator_id !== null && !(await query<object>(FIND_PERMISSION, [row.school_id, now]));
  return {
    kind: 'user',
    userId: row.user_id,
    schoolId: member ? row.school_id : null,
    role: member?.role ?? null,
    covers: member?.covers ?? [],
    impersonatorId: row.impersonator_id,
    provedAt: row.proved_at,
    requiresPassword: row.require_password_reset === true,
    hasConfirmedEmail: row.email_confirmed_at !== null,
    mustConfirmEmail:
      row.email_confirmed_at === null &&
      (mustAddFactor || mustUseProvider || (row.registered_at !== null && isConfirmationDue(row.registered_at, now))),
    isFromProvider,
    mustUseProvider,
    hasFactor: row.has_factor,
    hasTerms: member?.awaits_terms !== true,
    isSchoolClosed: member?.is_closed === true,
    access: isWithoutPermission ? 'support' : member ? accessOf(member, now) : 'open',
    isOperator: row.operator_id !== null && row.impersonator_id === null,
    program: null,
    ...times,
  };
}

/**
 * Returns whether this session is valid and an operator's own. A support session is valid only as long as the session
 * that made its code, so it ends in every way in which that one ends.
 */
export async function isOperatorSession(db: PlatformDb, tokenHash: Buffer | null, now: Date): Promise<boolean> {
  const session = tokenHash && (await findSession(db, tokenHash, now));
  return session?.kind === 'user' && session.isOperator;
}

/**
 * Returns whether the session has ended because its user must have a second factor and has none: their next login adds
 * one. A user who has yet to choose a password logs in after that.
 */
const isFactorMissing = (row: SessionRow, member: MemberRow | undefined, now: Date): boolean =>
  !row.has_factor &&
  row.impersonator_id === null &&
  row.require_password_reset !== true &&
  (row.operator_id !== null || (member !== undefined && needsFactor(member.role, member, now)));

/** Returns whether an account registered at this time has passed its deadline to confirm the address. */
export const isConfirmationDue = (registeredAt: Date, now: Date): boolean =>
  now.getTime() >= registeredAt.getTime() + EMAIL_CONFIRMATION_MS;

/** Returns whether a session was used within the precision of its time of last use. */
export const isRecent = (lastUsedAt: Date, now: Date): boolean =>
  now.getTime() - lastUsedAt.getTime() < TOUCH_INTERVAL_MS;

/** Returns whether a use of the session should be recorded. */
export const isTouchDue = ({ lastUsedAt }: Session, now: Date): boolean => !isRecent(lastUsedAt, now);

/** Returns whether the user has logged in or proved who they are recently enough for a call that needs it. */
export const isProved = ({ provedAt, requiresPassword }: UserSession, now: Date): boolean =>
  // The link that began the session proves who reads the mail, not who owns the second factor.
  !requiresPassword && provedAt !== null && now.getTime() - provedAt.getTime() < PROOF_TTL_MS;

/** Returns whether an account is an operator's. */
export async function isOperator(db: PlatformDb, userId: number): Promise<boolean> {
  const row = await db.tx.selectFrom('operators').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  return row !== undefined;
}

/** Records in a session that its user has proved who they are. */
export async function recordProof(db: PlatformDb, tokenHash: Buffer, now: Date): Promise<void> {
  await db.tx.updateTable('sessions').set({ proved_at: now }).where('token_hash', '=', tokenHash).execute();
}

/** Records that a session was used. */
export async function touchSession(db: PlatformDb, session: Session, now: Date): Promise<void> {
  await db.tx.updateTable('sessions').set({ last_used_at: now }).where('token_hash', '=', session.tokenHash).execute();
}

/** The device on which a session begins. The names are null when they were not recognised. */
export interface SessionDevice {
  hash: Buffer;
  browser: string | null;
  system: string | null;
}

interface NewSession {
  tokenHash: Buffer;
  userId?: number;
  schoolId?: number | null;
  pupilId?: number;
  impersonatorId?: number;
  /** The operator's own session, which a support session needs. */
  operatorSession?: Buffer;
  /** The account at a provider with which the user logs in; the session ends with it. */
  linkedAccountId?: number | undefined;
  /** A sign-in provider has asked for a second factor that counts. */
  hasProviderFactor?: boolean;
  /** Lifetime in milliseconds; 90 days when absent. */
  lasts?: number;
  device?: SessionDevice | undefined;
}

/** The insert of a session, also as part of a larger statement. Plain SQL, because every login runs it. */
export const sessionInsert = (session: NewSession, now: Date) => sql`
  insert into sessions (token_hash, user_id, school_id, pupil_id, impersonator_id, created_at, last_used_at, expires_at,
    device_hash, browser, system, proved_at, has_provider_factor, linked_account_id, operator_session_hash)
  values (${session.tokenHash}, ${session.userId ?? null}, ${session.schoolId ?? null}, ${session.pupilId ?? null},
    ${session.impersonatorId ?? null}, ${now}, ${now}, ${new Date(now.getTime() + (session.lasts ?? SESSION_TTL_MS))},
    ${session.device?.hash ?? null}, ${session.device?.browser ?? null}, ${session.device?.system ?? null},
    ${session.userId === undefined || session.impersonatorId !== undefined ? null : now},
    ${session.hasProviderFactor === true}, ${session.linkedAccountId ?? null}, ${session.operatorSession ?? null})`;

/** Starts a session of a user or of a pupil. */
export async function createSession(db: PlatformDb, session: NewSession, now: Date): Promise<void> {
  await sessionInsert(session, now).execute(db.tx);
}

/** The session that a request names. An open call does not validate it. */
export interface NamedSession {
  tokenHash: Buffer;
  /** From the browser's cookie, which the reply can replace; false for a program. */
  isCookie: boolean;
  /** The token of a program of a school. */
  isProgram: boolean;
  /** The token under which the session continues, which the reply sets as the cookie. */
  newToken?: string;
}

/**
 * Continues a user's own session under a new token, or under the same one for a program, which could not learn another.
 * Returns the hash of its token, or undefined when the session is not the user's, has ended or is an operator's.
 */
export async function continueSession(
  db: PlatformDb,
  userId: number,
  session: NamedSession,
  now: Date,
): Promise<Buffer | undefined> {
  const token = newToken();
  const tokenHash = session.isCookie ? hashToken(token) : session.tokenHash;
  const row = await db.tx
    .updateTable('sessions')
    .set({ token_hash: tokenHash })
    .where('token_hash', '=', session.tokenHash)
    .where('user_id', '=', userId)
    .where('impersonator_id', 'is', null)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', new Date(now.getTime() - IDLE_TIMEOUT_MS))
    .returning('user_id')
    .executeTakeFirst();
  if (!row) return undefined;
  if (session.isCookie) session.newToken = token;
  return tokenHash;
}

/** Ends one session. */
export async function removeSession(db: PlatformDb, tokenHash: Buffer): Promise<void> {
  await db.tx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends all sessions of a user except the current one, and logins that have begun. */
export async function removeUserSessions(db: PlatformDb, userId: number, except?: Buffer): Promise<void> {
  // The steps first: a login that ends its step meanwhile commits its session before this statement continues.
  await removeLoginSteps(db, userId);
  const all = db.tx.deleteFrom('sessions').where('user_id', '=', userId);
  await (except ? all.where('token_hash', '!=', except) : all).execute();
}

/** Moves a user's sessions without a school to their first one. */
export async function moveSessionsToFirstSchool(db: PlatformDb, userId: number, schoolId: number): Promise<void> {
  await db.tx
    .updateTable('sessions')
    .set({ school_id: schoolId })
    .where('user_id', '=', userId)
    .where('school_id', 'is', null)
    .execute();
}

/** How a user's own session began, and where it is. */
export interface OwnSession {
  schoolId: number | null;
  browser: string | null;
  system: string | null;
  hasProviderFactor: boolean;
  /** The account at a provider with which it began. */
  account: { provider: string; tenant: string | null } | undefined;
}

/** Locks a session until the transaction ends; undefined when it has ended. */
export async function lockSession(db: PlatformDb, tokenHash: Buffer): Promise<OwnSession | undefined> {
  const row = await db.tx
    .selectFrom('sessions as s')
    .leftJoin('linked_accounts as l', 'l.id', 's.linked_account_id')
    .select(['s.school_id', 's.browser', 's.system', 's.has_provider_factor', 'l.provider', 'l.tenant'])
    .where('s.token_hash', '=', tokenHash)
    .forUpdate('s')
    .executeTakeFirst();
  return (
    row && {
      schoolId: row.school_id,
      browser: row.browser,
      system: row.system,
      hasProviderFactor: row.has_provider_factor,
      account: row.provider === null ? undefined : { provider: row.provider, tenant: row.tenant },
    }
  );
}

/** Moves a session to another school of its user. */
export async function moveSession(
  db: PlatformDb,
  tokenHash: Buffer,
  { schoolId, hasProviderFactor }: { schoolId: number; hasProviderFactor: boolean },
): Promise<void> {
  await db.tx
    .updateTable('sessions')
    .set({ school_id: schoolId, has_provider_factor: hasProviderFactor })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Ends a user's sessions in one school, and logins that have begun. */
export async function removeSchoolSessions(db: PlatformDb, userId: number, schoolId: number): Promise<void> {
  await removeLoginSteps(db, userId);
  await db.tx.deleteFrom('sessions').where('user_id', '=', userId).where('school_id', '=', schoolId).execute();
}
