import { recordChange } from '../../audit/audit-log.queries.ts';
import { inPlatform, readInPlatform } from '../../database/platform.ts';
import { withSchool } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers, withPrepare } from '../../http/pipeline.ts';
import { removeSession } from '../../auth/sessions.queries.ts';
import { findLogin, getUser } from './access.queries.ts';
import { isPassword } from '../../auth/password-hashing.ts';
import { enqueue } from '../../jobs/queue.ts';
import { LOGIN_FAILURE_JOB, type LoginFailure } from './login-failures.jobs.ts';
import { startSession } from './start-session.service.ts';

export const accessHandlers = defineHandlers({
  logIn: withPrepare({
    prepare: async ({ body, now, services }) => {
      const login = await readInPlatform(services.database, (db) => findLogin(db, body.email));
      const matches = await isPassword(body.password, login?.password_hash, services.config.hashCost);
      if (!matches || !login) {
        const failure: LoginFailure = { userId: login?.id ?? null, at: now.toISOString() };
        await inPlatform(services.database, (db) => enqueue(db, LOGIN_FAILURE_JOB, failure));
        throw new AppError('login_failed');
      }
      return login;
    },
    handle: async ({ db, prepared: { id, school_id: schoolId }, now }) => {
      const signedIn = await startSession(db, { userId: id, schoolId }, now);
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
  getMe: { handle: async ({ db, me }) => ({ user: await getUser(db, me.userId, me.impersonatorId) }) },
});
