import { defineFeature } from '../../../feature.ts';
import { cardPaymentHandlers, serveStripeWebhook } from './card-payments.routes.ts';

export const cardPaymentsFeature = defineFeature({ handlers: cardPaymentHandlers, serve: serveStripeWebhook });
