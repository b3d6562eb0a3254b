import { defineFeature } from '../../../feature.ts';
import { supportAccessHandlers } from './support-access.routes.ts';

export const supportAccessFeature = defineFeature({ handlers: supportAccessHandlers });
