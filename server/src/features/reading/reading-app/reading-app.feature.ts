import { defineFeature } from '../../../feature.ts';
import { readingAppHandlers } from './reading-app.routes.ts';

export const readingAppFeature = defineFeature({
  handlers: readingAppHandlers,
});
