import { defineFeature } from '../../../feature.ts';
import { exportHandlers } from './exports.routes.ts';

export const exportsFeature = defineFeature({
  handlers: exportHandlers,
});
