import { readInPlatform } from '../../database/platform.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers, withPrepare } from '../../http/pipeline.ts';
import { removeSession } from '../../auth/sessions.queries.ts';
import { findLogin, getUser } from './access.queries.ts';
import { isPassword } from '../../auth/password-hashing.ts';
import { startSession } from './start-session.service.ts';

export const accessHandlers = defineHandlers({
  logIn: withPrepare({
    prepare: async ({ body, services }) => {
      const login = await readInPlatform(services.database, (db) => findLogin(db, body.email));
      const matches = await isPassword(body.password, login?.password_hash, services.config.hashCost);
      if (!matches || !login) throw new AppError('login_failed');
      return login;
    },
    handle: ({ db, prepared, now }) => startSession(db, { userId: prepared.id, schoolId: prepared.school_id }, now),
  }),
  logOut: {
    handle: async ({ db, me }) => {
      await removeSession(db, me.tokenHash);
      return {};
    },
  },
  getMe: { handle: async ({ db, me }) => ({ user: await getUser(db, me.userId, me.impersonatorId) }) },
});
