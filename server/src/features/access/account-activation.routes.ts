import { exchangeSetUpLink } from '#contract/calls/passwords.ts';
import { AppError } from '../../http/errors.ts';
import { takeLink } from '../../auth/one-time-tokens.queries.ts';
import { route } from '../../http/pipeline.ts';
import { lockUser } from './access.queries.ts';
import { signIn } from './start-session.service.ts';

export const setUpRoutes = [
  route(exchangeSetUpLink, {
    handle: async ({ db, body, now }) => {
      const link = await takeLink(db, 'set_up', body.token, now);
      if (!link) throw new AppError('set_up_link_ended');
      const user = await lockUser(db, link.userId);
      return signIn(db, { userId: user.id, schoolId: user.school_id }, now);
    },
  }),
];
