import { AppError } from '../../../errors.ts';
import { consumeToken } from '../../../auth/one-time-tokens.queries.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { lockUser } from './access.queries.ts';
import { proveEmail } from './email-confirmation.service.ts';
import { startSession } from './start-session.service.ts';

export const accountActivationHandlers = defineHandlers({
  exchangeSetUpLink: {
    handle: async ({ db, body, client, now, services }) => {
      const link = await consumeToken(db, 'set_up', body.token, now);
      if (!link) throw new AppError('set_up_link_expired');
      const user = await lockUser(db, link.userId);
      await proveEmail(db, user, now);
      return startSession(
        db,
        { userId: user.id, schoolId: user.school_id, login: { client, method: 'set_up_link' } },
        now,
        services.config,
      );
    },
  },
});
