import { changeMe, register } from '#contract/calls/access.ts';
import { route } from '../../http/pipeline.ts';
import { getUser, insertUser } from './access.queries.ts';
import { changeAccount, prepareChange } from './accounts.service.ts';
import { checkNewPassword, hashPassword } from '../../auth/password-hashing.ts';
import { signIn } from './start-session.service.ts';

export const accountRoutes = [
  route(register, {
    prepare: ({ body }) => {
      checkNewPassword(body.password, body.email);
      return hashPassword(body.password);
    },
    handle: async ({ db, body, prepared, now }) => {
      const person = {
        firstName: body.first_name,
        lastName: body.last_name,
        email: body.email,
        userType: body.user_type,
      };
      const userId = await insertUser(db, { ...person, passwordHash: prepared, schoolId: null }, now);
      return signIn(db, { userId, schoolId: null }, now);
    },
  }),
  route(changeMe, {
    prepare: ({ body, me, services }) => prepareChange(services.database, me, body),
    handle: async ({ db, me, body, prepared, now, services }) => {
      await changeAccount(db, me, body, prepared, now, services.config.productName);
      return { user: await getUser(db, me.userId, me.impersonatorId) };
    },
  }),
];
