import { defineHandlers } from '../../../http/pipeline.ts';
import { listPaymentsToReconcile, reconcilePayment } from './unmatched-payments.service.ts';

export const unmatchedPaymentHandlers = defineHandlers({
  listUnmatchedPayments: {
    handle: async ({ db }) => ({ payments: await listPaymentsToReconcile(db) }),
  },
  reconcilePayment: {
    handle: async ({ db, me, params, now }) => {
      await reconcilePayment(db, me, params.sessionId, now);
      return {};
    },
  },
});
