import { defineFeature } from '../../../feature.ts';
import { cardPaymentHandlers, serveStripeWebhook } from './card-payments.routes.ts';
import { unmatchedPaymentHandlers } from './unmatched-payments.routes.ts';

export const cardPaymentsFeature = defineFeature({
  handlers: { ...cardPaymentHandlers, ...unmatchedPaymentHandlers },
  serve: serveStripeWebhook,
});
