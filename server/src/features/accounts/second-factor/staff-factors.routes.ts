import { defineHandlers } from '../../../http/pipeline.ts';
import { describeFactorPolicy, updateFactorPolicy } from './factor-policy.service.ts';
import { listRecoveries } from './factor-recovery.queries.ts';
import { cancelRecovery, confirmRecovery, requestRecovery, resetColleague } from './factor-recovery.service.ts';

/** What admins and operators decide about the second factors of staff. */
export const staffFactorHandlers = defineHandlers({
  getFactorPolicy: { handle: ({ db }) => describeFactorPolicy(db) },
  updateFactorPolicy: {
    handle: async ({ db, me, body, now }) => {
      await updateFactorPolicy(db, me, body, now);
      return describeFactorPolicy(db);
    },
  },
  resetFactors: {
    handle: async ({ db, me, params, body, now, services }) => {
      await resetColleague(db, me, params.userId, body.identity_check, now, services.config);
      return {};
    },
  },
  listRecoveries: { handle: async ({ db }) => ({ recoveries: await listRecoveries(db) }) },
  requestRecovery: {
    handle: async ({ db, me, body, now }) => {
      await requestRecovery(db, me, { userId: body.user_id, identityCheck: body.identity_check }, now);
      return {};
    },
  },
  confirmRecovery: {
    handle: async ({ db, me, params, now, services }) => {
      await confirmRecovery(db, me, params.userId, now, services.config);
      return {};
    },
  },
  cancelRecovery: {
    handle: async ({ db, me, params, now }) => {
      await cancelRecovery(db, me, params.userId, now);
      return {};
    },
  },
  cancelOwnRecovery: {
    handle: async ({ db, me, now }) => {
      await cancelRecovery(db, me, me.userId, now);
      return {};
    },
  },
});
