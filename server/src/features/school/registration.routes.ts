import { assertNewPassword, hashPassword } from '../../auth/password-hashing.ts';
import { defineHandlers, withPrepare } from '../../http/pipeline.ts';
import { registerNewSchool, registerOwnSchool } from './registration.service.ts';

export const registrationHandlers = defineHandlers({
  registerSchool: withPrepare({
    prepare: ({ body, services }) => {
      assertNewPassword(body.user.password, body.user.email, 'user.password');
      return hashPassword(body.user.password, services.config.hashCost);
    },
    handle: async ({ db, body, prepared, now, services }) => ({
      enterprise: await registerNewSchool(db, body, prepared, now, services.config),
    }),
  }),
  createSchool: {
    handle: async ({ db, me, body, now, services }) => ({
      enterprise: await registerOwnSchool(db, me, body, now, services.config),
    }),
  },
});
