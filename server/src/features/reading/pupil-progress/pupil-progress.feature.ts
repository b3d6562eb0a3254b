import { defineFeature } from '../../../feature.ts';
import { pupilProgressHandlers } from './pupil-progress.routes.ts';

export const pupilProgressFeature = defineFeature({
  handlers: pupilProgressHandlers,
});
