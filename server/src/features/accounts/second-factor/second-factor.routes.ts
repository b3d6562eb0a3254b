import type { Config } from '../../../config.ts';
import { hasLoginMethod } from '../../../auth/linked-accounts.queries.ts';
import { beginLoginStep, endLoginStep, findLoginStep } from '../../../auth/login-steps.queries.ts';
import { isPassword } from '../../../auth/password-hashing.ts';
import { recordProof } from '../../../auth/sessions.queries.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { isRecoveryCode } from '../../../auth/factor-codes.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { countEvent } from '../../../logging/event-counts.ts';
import { getCredentials, LOGIN_FAILURE_JOB, type LoginFailure, lockUser } from '../access/access.public.ts';
import {
  countRecoveryCodes,
  findPasskey,
  listFactors,
  removeFactor,
  renameFactor,
  recordPasskeyUse,
} from '../../../auth/login-factors.queries.ts';
import { challengeOf, makeLoginOptions, verifyLogin } from '../../../auth/passkeys.ts';
import {
  addPasskey,
  beginApp,
  beginPasskey,
  confirmApp,
  endRegistration,
  verifyPasskey,
} from './add-factor.service.ts';
import { completeLogin } from './complete-login.service.ts';
import { findRecovery } from './factor-recovery.queries.ts';
import { assertFactorsLeft, completeRemoval, renewRecoveryCodes, consumeCode } from './second-factor.service.ts';

type Transaction = <T>(work: (db: PlatformDb) => Promise<T>) => Promise<T>;

/** Counts a wrong second factor and reports it to the audit log of the user's school. */
async function recordFailure(write: Transaction, userId: number, now: Date): Promise<void> {
  const failure: LoginFailure = { userId, at: now.toISOString(), action: 'login_factor_failed' };
  await write((db) => enqueue(db, LOGIN_FAILURE_JOB, failure));
  countEvent('login_rejected');
}

/**
 * The user whose passkey answered a challenge of the portal, which is used up. Throws `passkey_failed`.
 */
async function consumePasskey(
  write: Transaction,
  config: Config,
  response: PasskeyResponse,
  now: Date,
): Promise<number> {
  const challenge = challengeOf(response);
  const [step, passkey] = await write(async (db) => [
    challenge === undefined ? undefined : await endLoginStep(db, 'passkey_login', challenge, now),
    await findPasskey(db, response.id),
  ]);
  if (!passkey) throw new AppError('passkey_failed');
  const count = step && challenge !== undefined ? await verifyLogin(config, response, challenge, passkey) : undefined;
  const isUsed = count !== undefined && (await write((db) => recordPasskeyUse(db, passkey, count, now)));
  if (!isUsed) {
    await recordFailure(write, passkey.userId, now);
    throw new AppError('passkey_failed');
  }
  return passkey.userId;
}

interface PasskeyResponse {
  id: string;
  response: Record<string, unknown>;
}

export const secondFactorHandlers = defineHandlers({
  logInWithFactor: withPrepare({
    prepare: async ({ body, now, services: { config }, read, write }) => {
      const step = await read((db) => findLoginStep(db, 'second_factor', body.token, now));
      const userId = step?.userId;
      if (!userId) throw new AppError('login_attempt_expired');
      // In a transaction of its own: a code that was used is used up, whatever happens next.
      await write((db) => consumeCode(db, userId, body.code, now, config)).catch(async (error: unknown) => {
        if (error instanceof AppError && error.kind === 'second_factor_failed') await recordFailure(write, userId, now);
        throw error;
      });
      return userId;
    },
    handle: async ({ prepared: userId, ...login }) => {
      const { db, body, now } = login;
      // Deleted meanwhile by another use, a new password, or an end of all sessions.
      // Locks the account first, in the same order as everything that ends its logins.
      await lockUser(db, userId);
      const step = await endLoginStep(db, 'second_factor', body.token, now);
      if (!step) throw new AppError('login_attempt_expired');
      return completeLogin(login, userId, isRecoveryCode(body.code) ? 'recovery_code' : 'authenticator', step);
    },
  }),

  getPasskeyLoginOptions: {
    handle: async ({ db, now, services }) => {
      const options = await makeLoginOptions(services.config);
      await beginLoginStep(db, 'passkey_login', options.challenge, null, now);
      return { options: { ...options } };
    },
  },
  logInWithPasskey: withPrepare({
    prepare: ({ body, now, services, write }) => consumePasskey(write, services.config, body.passkey, now),
    handle: ({ prepared: userId, ...login }) => completeLogin(login, userId, 'passkey'),
  }),

  proveIdentity: withPrepare({
    prepare: async ({ me, body, now, services: { config }, read, write }) => {
      const [account, factors] = await read(async (db) => [
        await getCredentials(db, me.userId),
        await listFactors(db, me.userId),
      ]);
      if (!(await isPassword(body.password, account.password_hash, config.hashCost)))
        throw fieldError('password', 'This is not your current password.');
      if (factors.length === 0) return;
      const { code } = body;
      if (code === undefined) throw fieldError('code', 'Enter the code of your authenticator app, or a recovery code.');
      await write((db) => consumeCode(db, me.userId, code, now, config));
    },
    handle: async ({ db, me, now }) => {
      await recordProof(db, me.tokenHash, now);
      return {};
    },
  }),
  proveIdentityWithPasskey: withPrepare({
    prepare: async ({ me, body, now, services, write }) => {
      if ((await consumePasskey(write, services.config, body.passkey, now)) !== me.userId)
        throw new AppError('passkey_failed');
    },
    handle: async ({ db, me, now }) => {
      await recordProof(db, me.tokenHash, now);
      return {};
    },
  }),

  listFactors: {
    handle: async ({ db, me }) => ({
      factors: await listFactors(db, me.userId),
      recovery_codes_left: await countRecoveryCodes(db, me.userId),
      recovery_due_at: (await findRecovery(db, me.userId))?.due_at?.toISOString() ?? null,
    }),
  },
  beginAuthenticator: {
    handle: ({ db, me, now, services }) => beginApp(db, me, now, services.config),
  },
  confirmAuthenticator: {
    handle: ({ db, me, body, now, services }) => confirmApp(db, me, body, now, services.config),
  },
  beginPasskey: {
    handle: ({ db, me, now, services }) => beginPasskey(db, me, now, services.config),
  },
  addPasskey: withPrepare({
    prepare: async ({ me, body, now, services, write }) => {
      const step = await write((db) => endRegistration(db, body.passkey, now));
      return verifyPasskey(services.config, me.userId, body.passkey, step);
    },
    handle: ({ db, me, body, prepared: credential, now, services }) =>
      addPasskey(db, me, { credential, name: body.name }, now, services.config),
  }),
  renameFactor: {
    handle: async ({ db, me, params, body }) => {
      const factor = await renameFactor(db, me.userId, params.factorId, body.name);
      if (!factor) throw new AppError('not_found');
      return { factor };
    },
  },
  removeFactor: {
    handle: async ({ db, me, params, now, services: { config } }) => {
      const user = await lockUser(db, me.userId);
      const factor = await removeFactor(db, me.userId, params.factorId);
      if (!factor) throw new AppError('not_found');
      if (!(await hasLoginMethod(db, me.userId))) throw new AppError('last_login_method');
      await assertFactorsLeft(db, user, now);
      await completeRemoval(db, me.userId, factor, now, config);
      return {};
    },
  },
  renewRecoveryCodes: {
    handle: async ({ db, me, now, services: { config } }) => ({
      recovery_codes: await renewRecoveryCodes(db, me.userId, now, config),
    }),
  },
});
