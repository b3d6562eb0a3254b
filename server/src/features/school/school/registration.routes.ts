import { assertNewPassword, hashPassword } from '../../../auth/password-hashing.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { registerNewSchool, registerOwnSchool } from './registration.service.ts';

export const registrationHandlers = defineHandlers({
  registerSchool: withPrepare({
    prepare: ({ body, services }) => {
      const { email, first_name, last_name } = body.user;
      const owner = { email, names: [first_name, last_name, body.school.name] };
      assertNewPassword(body.user.password, owner, services.config, 'user.password');
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
