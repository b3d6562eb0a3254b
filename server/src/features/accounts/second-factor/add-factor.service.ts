import type { Factor } from '#contract/calls/second-factor.ts';
import { makeAuthenticator } from '../../../auth/factor-codes.ts';
import {
  beginAuthenticator,
  confirmAuthenticator,
  insertPasskey,
  listCredentialIds,
} from '../../../auth/login-factors.queries.ts';
import { beginLoginStep, endLoginStep } from '../../../auth/login-steps.queries.ts';
import { challengeOf, makeRegistrationOptions, verifyRegistration } from '../../../auth/passkeys.ts';
import { AUTHENTICATOR_PURPOSE } from '../../../auth/keyed-columns.ts';
import { sealSecret } from '../../../auth/secrets-key.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { AppError } from '../../../errors.ts';
import { makeQrCode } from '../../../pdf/qr-code.ts';
import { lockUser } from '../access/access.public.ts';
import { assertRoomForFactor, checkFirstCode, completeAddition, type FactorOwner } from './second-factor.service.ts';

interface NewFactor {
  factor: Factor;
  /** With the account's first factor. */
  recovery_codes: string[] | null;
}

type PasskeyAnswer = Parameters<typeof verifyRegistration>[1] & Parameters<typeof challengeOf>[0];
type Credential = NonNullable<Awaited<ReturnType<typeof verifyRegistration>>>;

/** Begins to add an authenticator app. Throws `too_many_factors`. */
export async function beginApp(db: PlatformDb, owner: FactorOwner, now: Date, config: Config) {
  const { userId } = owner;
  await assertRoomForFactor(db, owner, now);
  const { email } = await lockUser(db, userId);
  const { bytes, secret, url } = makeAuthenticator(config.productName, email);
  await beginAuthenticator(db, userId, sealSecret(config, AUTHENTICATOR_PURPOSE, bytes), now);
  return { secret, url, qr: makeQrCode(url) };
}

/** Adds the authenticator app that was begun. Throws `second_factor_failed`, `too_many_factors` or `conflict`. */
export async function confirmApp(
  db: PlatformDb,
  owner: FactorOwner,
  { code, name }: { code: string; name: string },
  now: Date,
  config: Config,
): Promise<NewFactor> {
  await assertRoomForFactor(db, owner, now);
  const begun = await checkFirstCode(db, owner.userId, code, now, config);
  const factor = await confirmAuthenticator(db, { ...begun, name }, now);
  if (!factor) throw new AppError('conflict');
  return { factor, recovery_codes: await completeAddition(db, owner, factor, now, config) };
}

/** Begins to add a passkey. Throws `too_many_factors`. */
export async function beginPasskey(db: PlatformDb, owner: FactorOwner, now: Date, config: Config) {
  const { userId } = owner;
  await assertRoomForFactor(db, owner, now);
  const { id, email, first_name, last_name } = await lockUser(db, userId);
  const user = { id, email, fullName: `${first_name} ${last_name}` };
  const options = await makeRegistrationOptions(config, user, await listCredentialIds(db, userId));
  await beginLoginStep(db, 'passkey_registration', options.challenge, userId, now);
  return { options: { ...options } };
}

/** Uses up the challenge that a device answers. Undefined if it was not given out, or before. */
export async function endRegistration(db: PlatformDb, answer: PasskeyAnswer, now: Date) {
  const challenge = challengeOf(answer);
  return challenge === undefined ? undefined : endLoginStep(db, 'passkey_registration', challenge, now);
}

/** Verifies the answer of a device to the challenge of `step`, outside any transaction. Throws `passkey_failed`. */
export async function verifyPasskey(
  config: Config,
  userId: number,
  answer: PasskeyAnswer,
  step: Awaited<ReturnType<typeof endRegistration>>,
): Promise<Credential> {
  const challenge = challengeOf(answer);
  const credential =
    step?.userId === userId && challenge !== undefined
      ? await verifyRegistration(config, answer, challenge)
      : undefined;
  if (!credential) throw new AppError('passkey_failed');
  return credential;
}

/** Adds a verified passkey. Throws `too_many_factors`, or `passkey_failed` when an account has it already. */
export async function addPasskey(
  db: PlatformDb,
  owner: FactorOwner,
  { credential, name }: { credential: Credential; name: string },
  now: Date,
  config: Config,
): Promise<NewFactor> {
  await assertRoomForFactor(db, owner, now);
  const passkey = {
    userId: owner.userId,
    name,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
  };
  const factor = await insertPasskey(db, passkey, now);
  if (!factor) throw new AppError('passkey_failed');
  return { factor, recovery_codes: await completeAddition(db, owner, factor, now, config) };
}
