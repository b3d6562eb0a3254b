import { defineFeature } from '../../../feature.ts';
import { classReadingHandlers } from './class-reading.routes.ts';

export const classReadingFeature = defineFeature({
  handlers: classReadingHandlers,
});
