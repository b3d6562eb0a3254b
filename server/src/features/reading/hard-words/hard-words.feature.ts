import { defineFeature } from '../../../feature.ts';
import { hardWordHandlers } from './hard-words.routes.ts';

export const hardWordsFeature = defineFeature({
  handlers: hardWordHandlers,
});
