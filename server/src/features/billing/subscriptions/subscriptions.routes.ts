import { defineHandlers } from '../../../http/pipeline.ts';
import { findSubscription } from './subscriptions.queries.ts';
import { toSubscription } from './subscriptions.service.ts';

export const subscriptionHandlers = defineHandlers({
  getSubscription: {
    handle: async ({ db, now }) => {
      const subscription = await findSubscription(db);
      return { subscription: subscription ? toSubscription(subscription, now) : null };
    },
  },
});
