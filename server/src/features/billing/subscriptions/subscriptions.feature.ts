import { defineFeature } from '../../../feature.ts';
import { subscriptionHandlers } from './subscriptions.routes.ts';

export const subscriptionsFeature = defineFeature({
  handlers: subscriptionHandlers,
});
