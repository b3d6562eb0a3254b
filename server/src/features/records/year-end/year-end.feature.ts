import { defineFeature } from '../../../feature.ts';
import { yearEndHandlers } from './year-end.routes.ts';

export const yearEndFeature = defineFeature({
  handlers: yearEndHandlers,
});
