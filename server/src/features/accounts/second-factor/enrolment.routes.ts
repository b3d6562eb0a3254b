import { listFactors } from '../../../auth/login-factors.queries.ts';
import { endLoginStep, findLoginStep, type LoginStep } from '../../../auth/login-steps.queries.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { lockUser } from '../access/access.public.ts';
import {
  addPasskey,
  beginApp,
  beginPasskey,
  confirmApp,
  endRegistration,
  verifyPasskey,
} from './add-factor.service.ts';
import { completeLogin } from './complete-login.service.ts';

const expired = () => new AppError('login_attempt_expired', { text: 'You took longer than 15 minutes. Log in again.' });

/** The user whom a login asks for their first factor. Throws `login_attempt_expired`. */
async function getEnrolling(db: PlatformDb, token: string, now: Date): Promise<number> {
  const step = await findLoginStep(db, 'enrolment', token, now);
  if (!step?.userId) throw expired();
  return step.userId;
}

/**
 * The same with the account locked. Throws also `already_enrolled`: a password alone adds no factor to an account that
 * has one, which another window has added meanwhile.
 */
async function lockEnrolling(db: PlatformDb, token: string, now: Date): Promise<{ userId: number }> {
  const userId = await getEnrolling(db, token, now);
  await lockUser(db, userId);
  if ((await listFactors(db, userId)).length > 0) throw new AppError('already_enrolled');
  return { userId };
}

/** Uses the token up, before the factor is added: a first factor ends all begun logins. Throws `login_attempt_expired`. */
async function endEnrolment(db: PlatformDb, token: string, now: Date): Promise<LoginStep> {
  const step = await endLoginStep(db, 'enrolment', token, now);
  if (!step) throw expired();
  return step;
}

export const enrolmentHandlers = defineHandlers({
  beginEnrolmentApp: {
    handle: async ({ db, body, now, services: { config } }) =>
      beginApp(db, await lockEnrolling(db, body.token, now), now, config),
  },
  enrolApp: {
    handle: async ({ body, ...login }) => {
      const { db, now, services } = login;
      const owner = await lockEnrolling(db, body.token, now);
      const step = await endEnrolment(db, body.token, now);
      const { recovery_codes } = await confirmApp(db, owner, body, now, services.config);
      const loggedIn = await completeLogin(login, owner.userId, 'authenticator', step);
      return { ...loggedIn, recovery_codes: recovery_codes ?? [] };
    },
  },
  beginEnrolmentPasskey: {
    handle: async ({ db, body, now, services: { config } }) =>
      beginPasskey(db, await lockEnrolling(db, body.token, now), now, config),
  },
  enrolPasskey: withPrepare({
    prepare: async ({ body, now, services: { config }, read, write }) => {
      const userId = await read((db) => getEnrolling(db, body.token, now));
      const step = await write((db) => endRegistration(db, body.passkey, now));
      return verifyPasskey(config, userId, body.passkey, step);
    },
    handle: async ({ body, prepared: credential, ...login }) => {
      const { db, now, services } = login;
      const owner = await lockEnrolling(db, body.token, now);
      const step = await endEnrolment(db, body.token, now);
      const { recovery_codes } = await addPasskey(db, owner, { credential, name: body.name }, now, services.config);
      const loggedIn = await completeLogin(login, owner.userId, 'passkey', step);
      return { ...loggedIn, recovery_codes: recovery_codes ?? [] };
    },
  }),
});
