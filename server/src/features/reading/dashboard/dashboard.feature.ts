import { defineFeature } from '../../../feature.ts';
import { dashboardHandlers } from './dashboard.routes.ts';

export const dashboardFeature = defineFeature({
  handlers: dashboardHandlers,
});
