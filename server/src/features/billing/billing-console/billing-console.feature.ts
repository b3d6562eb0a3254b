import { defineFeature } from '../../../feature.ts';
import { billingConsoleHandlers } from './billing-console.routes.ts';

export const billingConsoleFeature = defineFeature({
  handlers: billingConsoleHandlers,
});
