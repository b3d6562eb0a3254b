import { defineFeature } from '../../../feature.ts';
import { readingNeedsHandlers } from './reading-needs.routes.ts';

export const readingNeedsFeature = defineFeature({
  handlers: readingNeedsHandlers,
});
