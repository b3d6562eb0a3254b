import { defineHandlers } from '../../../http/pipeline.ts';
import { endOtherSessions, endSession, endSessionByLink, listSessions } from './devices.service.ts';

export const deviceHandlers = defineHandlers({
  listSessions: { handle: async ({ db, me, now }) => ({ sessions: await listSessions(db, me, now) }) },
  endSession: {
    handle: async ({ db, me, params, now }) => {
      await endSession(db, me, params.loginSessionId, now);
      return {};
    },
  },
  endOtherSessions: {
    handle: async ({ db, me, now }) => {
      await endOtherSessions(db, me, now);
      return {};
    },
  },
  endSessionByLink: {
    handle: async ({ db, body, now }) => {
      await endSessionByLink(db, body.token, now);
      return {};
    },
  },
});
