import { defineFeature } from '../../../feature.ts';
import { archiveHandlers } from './archive.routes.ts';

export const archiveFeature = defineFeature({
  handlers: archiveHandlers,
});
