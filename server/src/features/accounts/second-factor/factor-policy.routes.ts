import { defineHandlers } from '../../../http/pipeline.ts';
import { describeFactorPolicy, updateFactorPolicy } from './factor-policy.service.ts';

export const factorPolicyHandlers = defineHandlers({
  getFactorPolicy: { handle: ({ db }) => describeFactorPolicy(db) },
  updateFactorPolicy: {
    handle: async ({ db, me, body, now }) => {
      await updateFactorPolicy(db, me, body, now);
      return describeFactorPolicy(db);
    },
  },
});
