import { defineHandlers } from '../../http/pipeline.ts';
import { getUser } from './access.queries.ts';
import { cancelEmailChange, confirmByLink, resendConfirmation } from './email-confirmation.service.ts';

export const emailConfirmationHandlers = defineHandlers({
  confirmEmail: {
    handle: async ({ db, body, now, services }) => {
      await confirmByLink(db, body.token, services.config.productName, now);
      return {};
    },
  },
  resendConfirmation: {
    handle: async ({ db, me }) => {
      await resendConfirmation(db, me);
      return {};
    },
  },
  cancelEmailChange: {
    handle: async ({ db, me, now }) => {
      await cancelEmailChange(db, me);
      return { user: await getUser(db, me.userId, now, me.impersonatorId) };
    },
  },
});
