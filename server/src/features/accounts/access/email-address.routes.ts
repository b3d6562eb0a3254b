import { defineHandlers } from '../../../http/pipeline.ts';
import { getUser } from './access.queries.ts';
import { agreeToEmailChange, cancelEmailChange, describeEmailChange, stopEmailChange } from './email-change.service.ts';
import { confirmByLink, resendConfirmation } from './email-confirmation.service.ts';

export const emailAddressHandlers = defineHandlers({
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
  cancelEmailChange: {
    handle: async ({ db, me, now }) => {
      await cancelEmailChange(db, me.userId);
      return { user: await getUser(db, me, now) };
    },
  },
  verifyEmailChange: { handle: ({ db, body, now }) => describeEmailChange(db, body.token, now) },
  stopEmailChange: {
    handle: async ({ db, body, client, now }) => {
      await stopEmailChange(db, body.token, client.session, now);
      return {};
    },
  },
  agreeToEmailChange: {
    handle: async ({ db, body, client, now, services }) => ({
      is_done: await agreeToEmailChange(db, body.token, client.session, services.config, now),
    }),
  },
});
