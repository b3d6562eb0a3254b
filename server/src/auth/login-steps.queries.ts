import type { PlatformDb } from '../database/platform-db.ts';
import { hashToken } from './tokens.ts';

/** How long a login may take from one step to the next. */
const STEP_TTL_MS = 5 * 60_000;
/** How long a first second factor may take: some people install an authenticator app. */
const ENROLMENT_TTL_MS = 15 * 60_000;

/**
 * A step of a login that the next one must name: a right password before the second factor or before adding the first
 * one, a passkey's challenge.
 */
export type LoginStepKind = 'second_factor' | 'enrolment' | 'passkey_login' | 'passkey_registration';

/** Begins a step for a user; null for the login with a passkey, which says whose it is only at its end. */
export async function beginLoginStep(
  db: PlatformDb,
  kind: LoginStepKind,
  token: string,
  userId: number | null,
  now: Date,
): Promise<void> {
  await db.tx
    .insertInto('login_steps')
    .values({
      token_hash: hashToken(token),
      kind,
      user_id: userId,
      expires_at: new Date(now.getTime() + (kind === 'enrolment' ? ENROLMENT_TTL_MS : STEP_TTL_MS)),
    })
    .execute();
}

/** The user of a step that has not expired, without ending it. */
export async function findLoginStep(
  db: PlatformDb,
  kind: LoginStepKind,
  token: string,
  now: Date,
): Promise<{ userId: number | null } | undefined> {
  return db.tx
    .selectFrom('login_steps')
    .select('user_id as userId')
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
): Promise<{ userId: number | null } | undefined> {
  return db.tx
    .deleteFrom('login_steps')
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .returning('user_id as userId')
    .executeTakeFirst();
}

/** Ends all logins of a user that have begun. */
export async function removeLoginSteps(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.deleteFrom('login_steps').where('user_id', '=', userId).execute();
}
