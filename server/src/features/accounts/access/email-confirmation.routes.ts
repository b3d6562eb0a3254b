import { defineHandlers } from '../../../http/pipeline.ts';
import { confirmByLink, resendConfirmation } from './email-confirmation.service.ts';

export const emailConfirmationHandlers = defineHandlers({
  confirmEmail: {
    handle: async ({ db, body, client, now, services }) => ({
      email_changes_at:
        (await confirmByLink(db, body.token, client.session, services.config, now))?.toISOString() ?? null,
    }),
  },
  resendConfirmation: {
    handle: async ({ db, me, now }) => {
      await resendConfirmation(db, me, now);
      return {};
    },
  },
});
