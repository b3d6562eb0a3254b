import { getMe, logIn, logOut } from '#contract/calls/access.ts';
import { askPlatform } from '../../database/platform.ts';
import { AppError } from '../../http/errors.ts';
import { route } from '../../http/pipeline.ts';
import { createSession, removeSession } from '../../http/session.queries.ts';
import { hashToken, newToken } from '../../http/tokens.ts';
import { findLogin, getUser } from './access.queries.ts';
import { isPassword } from './passwords.service.ts';

export const accessRoutes = [
  route(logIn, {
    prepare: async ({ body, services }) => {
      const login = await askPlatform(services.database, (db) => findLogin(db, body.email));
      if (!(await isPassword(body.password, login?.password_hash)) || !login) throw new AppError('login_failed');
      return login;
    },
    handle: async ({ db, prepared, now }) => {
      const token = newToken();
      await createSession(db, { tokenHash: hashToken(token), userId: prepared.id, schoolId: prepared.school_id }, now);
      return { user: await getUser(db, prepared.id), meta: { token } };
    },
  }),
  route(logOut, {
    handle: async ({ db, me }) => {
      await removeSession(db, me.tokenHash);
      return {};
    },
  }),
  route(getMe, { handle: async ({ db, me }) => ({ user: await getUser(db, me.userId) }) }),
];
