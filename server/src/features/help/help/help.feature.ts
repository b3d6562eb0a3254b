import { defineFeature } from '../../../feature.ts';
import { contactRequestHandlers } from './contact-requests.routes.ts';
import { helpHandlers } from './help.routes.ts';

export const helpFeature = defineFeature({
  handlers: { ...contactRequestHandlers, ...helpHandlers },
});
