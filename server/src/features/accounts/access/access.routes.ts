import { recordChange } from '../../../audit/audit-log.queries.ts';
import { withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { mustEnrol } from './factor-policy.queries.ts';
import { beginLoginStep, listSecondSteps } from '../../../auth/login-steps.queries.ts';
import { newToken } from '../../../auth/tokens.ts';
import { removeSession } from '../../../auth/sessions.queries.ts';
import { findHiddenLogin, findLogin, getUser, lockLogin } from './access.queries.ts';
import { isPassword } from '../../../auth/password-hashing.ts';
import { countEvent } from '../../../logging/event-counts.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { LOGIN_FAILURE_JOB, type LoginFailure } from './access.jobs.ts';
import { startSession } from './sessions.service.ts';

export const accessHandlers = defineHandlers({
  logIn: withPrepare({
    prepare: async ({ body, now, services, read, write }) => {
      const { hashCost, hideAccounts } = services.config;
      const [known, hidden] = await read(async (db) => [
        await findLogin(db, body.email),
        hideAccounts ? await findHiddenLogin(db, body.email) : undefined,
      ]);
      const isKnown = await isPassword(body.password, known?.password_hash, hashCost);
      // Always verifies both, so that the response time reveals nothing.
      const isHidden = hideAccounts && (await isPassword(body.password, hidden?.password_hash, hashCost));
      const login = isKnown ? known : isHidden ? hidden : undefined;
      if (!login) {
        const failure: LoginFailure = { userId: known?.id ?? null, at: now.toISOString() };
        await write((db) => enqueue(db, LOGIN_FAILURE_JOB, failure));
        countEvent('login_rejected');
        throw new AppError('login_failed');
      }
      const { methods, step } = await read(async (db) => {
        const found = await listSecondSteps(db, login.id);
        const isEnrolment =
          found.length === 0 && (await mustEnrol(db, { ...login, isFromProvider: false }, login.school_id, now));
        return {
          methods: found,
          step: isEnrolment ? 'enrolment' : found.length > 0 ? 'second_factor' : undefined,
        } as const;
      });
      if (step) {
        // There is no session before the second step.
        const token = newToken();
        await write(async (db) => {
          await lockLogin(db, login);
          await beginLoginStep(db, step, token, login.id, now);
        });
        const error = step === 'enrolment' ? 'enrolment_required' : 'second_factor_required';
        throw new AppError(error, { secondFactor: { token, methods } });
      }
      return login;
    },
    handle: async ({ db, prepared, client, now, services }) => {
      const { id, school_id: schoolId } = await lockLogin(db, prepared);
      // A first factor was added since the password was checked, which ends begun logins.
      if ((await listSecondSteps(db, id)).length > 0)
        throw new AppError('conflict', { text: 'Your account was changed while you logged in. Log in again.' });
      const signedIn = await startSession(
        db,
        { userId: id, schoolId, login: { client, method: 'password' } },
        now,
        services.config,
      );
      countEvent('login');
      if (schoolId !== null) {
        const change = { action: 'logged_in', subjectKind: 'user', subjectId: id } as const;
        await withSchool(db, schoolId, (own) => recordChange(own, { userId: id, impersonatorId: null }, now, change));
      }
      return signedIn;
    },
  }),
  logOut: {
    handle: async ({ db, me }) => {
      await removeSession(db, me.tokenHash);
      return {};
    },
  },
  getMe: { handle: async ({ db, me, now }) => ({ user: await getUser(db, me, now) }) },
});
