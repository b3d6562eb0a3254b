import type { ErrorReply } from '#contract/error-reply.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { countRecoveryCodes, listFactors } from './login-factors.queries.ts';
import { SIGN_IN_MAX_AGE } from './session-cookie.ts';
import { hashToken } from './tokens.ts';

/** How long a login may take from one step to the next. */
const STEP_TTL_MS = 5 * 60_000;
/** How long a first second factor may take: some people install an authenticator app. */
const ENROLMENT_TTL_MS = 15 * 60_000;

/**
 * A step of a login that the next one must name: a right password before the second factor or before adding the first
 * one, a passkey's challenge.
 */
type LoginStepKind = 'second_factor' | 'enrolment' | 'passkey_login' | 'passkey_registration';

/** Whose step it is, the account at a provider with which the login began, and the school that it chose. */
export interface LoginStep {
  userId: number | null;
  linkedAccountId: number | null;
  schoolId: number | null;
}

const COLUMNS = ['user_id as userId', 'linked_account_id as linkedAccountId', 'school_id as schoolId'] as const;

/** Begins a step for a user; null for a login with a passkey, which names the user only at its end. */
export async function beginLoginStep(
  db: PlatformDb,
  kind: LoginStepKind,
  token: string,
  userId: number | null,
  now: Date,
  { linkedAccountId = null, schoolId = null }: { linkedAccountId?: number | null; schoolId?: number | null } = {},
): Promise<void> {
  await db.tx
    .insertInto('login_steps')
    .values({
      token_hash: hashToken(token),
      kind,
      user_id: userId,
      linked_account_id: linkedAccountId,
      school_id: schoolId,
      expires_at: new Date(now.getTime() + (kind === 'enrolment' ? ENROLMENT_TTL_MS : STEP_TTL_MS)),
    })
    .execute();
}

/** The step of a token that has not expired, without ending it. */
export async function findLoginStep(
  db: PlatformDb,
  kind: LoginStepKind,
  token: string,
  now: Date,
): Promise<LoginStep | undefined> {
  return db.tx
    .selectFrom('login_steps')
    .select(COLUMNS)
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Ends a step. Of any number of simultaneous ends, one gets the step and the others get undefined. */
export async function endLoginStep(
  db: PlatformDb,
  kind: LoginStepKind,
  token: string,
  now: Date,
): Promise<LoginStep | undefined> {
  return db.tx
    .deleteFrom('login_steps')
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .returning(COLUMNS)
    .executeTakeFirst();
}

type Methods = NonNullable<ErrorReply['second_factor']>['methods'];

/** How the user can take the second step of a login; empty when their password is enough. */
export async function listSecondSteps(db: PlatformDb, userId: number): Promise<Methods> {
  const kinds = new Set((await listFactors(db, userId)).map(({ kind }) => kind));
  if (kinds.size === 0) return [];
  return [...kinds, ...((await countRecoveryCodes(db, userId)) > 0 ? ['recovery_code' as const] : [])];
}

/** Ends all logins of a user that have begun. */
export async function removeLoginSteps(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.deleteFrom('login_steps').where('user_id', '=', userId).execute();
}

/**
 * Records that the state of a sign-in at a provider was used, as long as its cookie is valid. Returns false when it was
 * used before; of simultaneous uses, one gets true.
 */
export async function consumeSignInState(db: PlatformDb, state: string, now: Date): Promise<boolean> {
  const used = await db.tx
    .insertInto('login_steps')
    .values({
      token_hash: hashToken(state),
      kind: 'used_sign_in',
      expires_at: new Date(now.getTime() + SIGN_IN_MAX_AGE * 1000),
    })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('kind')
    .executeTakeFirst();
  return used !== undefined;
}
