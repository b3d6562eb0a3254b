import { defineFeature } from '../../../feature.ts';
import { pupilImportHandlers } from './pupil-import.routes.ts';

export const pupilImportFeature = defineFeature({
  handlers: pupilImportHandlers,
});
