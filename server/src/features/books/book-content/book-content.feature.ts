import { defineFeature } from '../../../feature.ts';
import { serveContent } from './content.routes.ts';

export const bookContentFeature = defineFeature({
  serve: serveContent,
});
