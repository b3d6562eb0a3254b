import type { AuditAction } from '#contract/audit-details.ts';
import type { Factor } from '#contract/calls/second-factor.ts';
import { MAX_FACTORS } from '#contract/limits.ts';
import { recordAccountChange } from '../../../audit/account-changes.ts';
import { establishOwner, lockUser, mustHaveFactor } from '../access/access.public.ts';
import { findSession, removeUserSessions } from '../../../auth/sessions.queries.ts';
import { AUTHENTICATOR_PURPOSE } from '../../../auth/keyed-columns.ts';
import { digestSecret, fingerprintsOf, unsealSecret } from '../../../auth/secrets-key.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { AppError } from '../../../errors.ts';
import { sendMail } from '../../../mail/mail.ts';
import {
  countRecoveryCodes,
  findBegunAuthenticator,
  listAuthenticators,
  listFactors,
  removeFactors,
  replaceRecoveryCodes,
  consumeRecoveryCode,
  consumeStep,
  type Authenticator,
} from '../../../auth/login-factors.queries.ts';
import { isRecoveryCode, makeRecoveryCodes, showRecoveryCode, stepOfCode } from '../../../auth/factor-codes.ts';
import { factorChangedMail, type FactorChange } from './second-factor.mail.ts';

/** What the digests of recovery codes are derived for. */
const RECOVERY_PURPOSE = 'recovery code';

export const unsealAuthenticator = (config: Config, { sealedSecret }: Authenticator): Buffer =>
  unsealSecret(config, AUTHENTICATOR_PURPOSE, sealedSecret);

const digestsOf = (config: Config, userId: number, code: string) =>
  digestSecret(config, RECOVERY_PURPOSE, `${userId} ${code}`);

interface Account {
  id: number;
  email: string;
  first_name: string;
  schoolIds: number[];
}

/** Emails the account's owner about a change, and records it in the audit log of their schools. */
async function notifyOwner(
  db: PlatformDb,
  user: Account,
  change: FactorChange,
  action: AuditAction,
  now: Date,
  config: Config,
): Promise<void> {
  const mail = factorChangedMail(config.productName, { email: user.email, firstName: user.first_name }, change);
  await sendMail(db, mail, { users: [user.id] }, now);
  const actor = { userId: user.id, impersonatorId: null };
  await recordAccountChange(db, user, actor, now, { action, subjectKind: 'user', subjectId: user.id });
}

/** Who adds a factor, and in which session; during a login there is none. */
export interface FactorOwner {
  userId: number;
  tokenHash?: Buffer;
}

/**
 * Locks the account and throws `too_many_factors` when it has no room for another, or `unauthorised` when another first
 * factor has ended the session meanwhile.
 */
export async function assertRoomForFactor(
  db: PlatformDb,
  { userId, tokenHash }: FactorOwner,
  now: Date,
): Promise<void> {
  await lockUser(db, userId);
  if (tokenHash && !(await findSession(db, tokenHash, now))) throw new AppError('unauthorised');
  if ((await listFactors(db, userId)).length >= MAX_FACTORS) throw new AppError('too_many_factors');
}

/**
 * Throws `last_factor` when an account was left without a factor that it must have. The one place for this rule: every
 * change that removes a factor calls it under the account's lock.
 */
export async function assertFactorsLeft(
  db: PlatformDb,
  user: Pick<Account, 'id' | 'schoolIds'>,
  now: Date,
): Promise<void> {
  if ((await listFactors(db, user.id)).length === 0 && (await mustHaveFactor(db, user, now)))
    throw new AppError('last_factor');
}

/** Makes new recovery codes in place of the earlier ones. Only their keyed digests are stored. */
export async function makeNewRecoveryCodes(db: PlatformDb, userId: number, config: Config): Promise<string[]> {
  const codes = makeRecoveryCodes();
  await replaceRecoveryCodes(
    db,
    userId,
    codes.map((code) => digestsOf(config, userId, code)[0]),
    fingerprintsOf(config)[0],
  );
  return codes.map(showRecoveryCode);
}

/**
 * After a factor was added under the account's lock: emails its owner. The first factor gets recovery codes, and ends the
 * other sessions and begun logins: they needed a password alone.
 */
export async function completeAddition(
  db: PlatformDb,
  { userId, tokenHash }: FactorOwner,
  { kind, name }: Factor,
  now: Date,
  config: Config,
): Promise<string[] | null> {
  const user = await lockUser(db, userId);
  await notifyOwner(db, user, { what: 'added', kind, name }, 'login_factor_added', now, config);
  if ((await listFactors(db, userId)).length > 1) return null;
  await removeUserSessions(db, userId, tokenHash);
  return makeNewRecoveryCodes(db, userId, config);
}

/** After a factor was removed: emails its owner, and removes the recovery codes with the last factor. */
export async function completeRemoval(
  db: PlatformDb,
  userId: number,
  { kind, name }: Factor,
  now: Date,
  config: Config,
): Promise<void> {
  const user = await lockUser(db, userId);
  const isLast = (await listFactors(db, userId)).length === 0;
  if (isLast) await replaceRecoveryCodes(db, userId, []);
  await notifyOwner(db, user, { what: 'removed', kind, name, isLast }, 'login_factor_removed', now, config);
}

/**
 * Removes all factors and recovery codes of an account, and ends everything that was issued for it. Under the account's
 * lock.
 */
export async function removeEveryFactor(db: PlatformDb, userId: number, now: Date): Promise<void> {
  await removeFactors(db, userId);
  await replaceRecoveryCodes(db, userId, []);
  await establishOwner(db, userId, now);
}

/** The same at the request of an owner who has lost them, and who gets an email. */
export async function clearFactors(
  db: PlatformDb,
  user: Pick<Account, 'id' | 'email' | 'first_name'>,
  by: string,
  now: Date,
  config: Config,
): Promise<void> {
  await removeEveryFactor(db, user.id, now);
  const owner = { email: user.email, firstName: user.first_name };
  await sendMail(db, factorChangedMail(config.productName, owner, { what: 'reset', by }), { users: [user.id] }, now);
}

/** New recovery codes at the owner's request. Throws `not_found` without a second factor. */
export async function renewRecoveryCodes(db: PlatformDb, userId: number, now: Date, config: Config): Promise<string[]> {
  const user = await lockUser(db, userId);
  if ((await listFactors(db, userId)).length === 0) throw new AppError('not_found');
  const codes = await makeNewRecoveryCodes(db, userId, config);
  await notifyOwner(db, user, { what: 'recovery_codes_renewed' }, 'login_recovery_codes_renewed', now, config);
  return codes;
}

/**
 * Checks a code of one of the user's authenticator apps, or uses up a recovery code, about which the owner gets an email.
 * Each code works once. Throws `second_factor_failed`.
 */
export async function consumeCode(
  db: PlatformDb,
  userId: number,
  code: string,
  now: Date,
  config: Config,
): Promise<void> {
  if (isRecoveryCode(code)) {
    if (!(await consumeRecoveryCode(db, userId, digestsOf(config, userId, code))))
      throw new AppError('second_factor_failed');
    const user = await lockUser(db, userId);
    const left = await countRecoveryCodes(db, userId);
    await notifyOwner(db, user, { what: 'recovery_code_used', left }, 'login_recovery_code_used', now, config);
    return;
  }
  for (const factor of await listAuthenticators(db, userId)) {
    const step = stepOfCode(unsealAuthenticator(config, factor), code, now);
    if (step !== undefined && (await consumeStep(db, factor.id, step, now))) return;
  }
  throw new AppError('second_factor_failed');
}

/** The begun authenticator app and the step of its first code. Throws `second_factor_failed`. */
export async function checkFirstCode(
  db: PlatformDb,
  userId: number,
  code: string,
  now: Date,
  config: Config,
): Promise<{ id: number; step: number }> {
  const begun = await findBegunAuthenticator(db, userId);
  const step = begun && stepOfCode(unsealAuthenticator(config, begun), code, now);
  if (begun === undefined || step === undefined)
    throw new AppError('second_factor_failed', {
      text: 'This code is not correct. Enter the latest code that the app shows.',
    });
  return { id: begun.id, step };
}
