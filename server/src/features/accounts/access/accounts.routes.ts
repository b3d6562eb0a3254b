import { listFactors } from '../../../auth/login-factors.queries.ts';
import { consumeToken } from '../../../auth/one-time-tokens.queries.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { getUser, lockUser } from './access.queries.ts';
import { getCredentials } from './accounts.queries.ts';
import { prepareUpdate, updateAccount } from './accounts.service.ts';
import { assertNewPassword, hashPassword } from '../../../auth/password-hashing.ts';
import { proveEmail, registerUser } from './email-confirmation.service.ts';
import { startSession } from './sessions.service.ts';

export const accountHandlers = defineHandlers({
  register: withPrepare({
    prepare: ({ body, services }) => {
      const owner = { email: body.email, names: [body.first_name, body.last_name] };
      assertNewPassword(body.password, owner, services.config);
      return hashPassword(body.password, services.config.hashCost);
    },
    handle: async ({ db, body, prepared, client, now, services }) => {
      const person = {
        firstName: body.first_name,
        lastName: body.last_name,
        email: body.email,
        userType: body.user_type,
      };
      const userId = await registerUser(db, { ...person, passwordHash: prepared }, services.config, now);
      return startSession(db, { userId, schoolId: null, login: { client, method: 'password' } }, now, services.config);
    },
  }),
  updateMe: withPrepare({
    prepare: async ({ body, me, now, services, read }) => {
      const account = await read(async (db) => ({
        ...(await getCredentials(db, me.userId)),
        hasFactor: (await listFactors(db, me.userId)).length > 0,
      }));
      return prepareUpdate(account, me, body, services.config, now);
    },
    handle: async ({ db, me, body, prepared, now, services }) => {
      await updateAccount(db, me, body, prepared, now, services.config);
      return { user: await getUser(db, me, now) };
    },
  }),
  exchangeSetUpLink: {
    handle: async ({ db, body, client, now, services }) => {
      const link = await consumeToken(db, 'set_up', body.token, now);
      if (!link) throw new AppError('set_up_link_expired');
      const user = await lockUser(db, link.userId);
      await proveEmail(db, user, now);
      return startSession(
        db,
        { userId: user.id, schoolId: user.schoolIds[0] ?? null, login: { client, method: 'set_up_link' } },
        now,
        services.config,
      );
    },
  },
});
