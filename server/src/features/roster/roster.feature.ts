import { defineFeature } from '../../feature.ts';
import { rosterHandlers } from './roster.routes.ts';

export const rosterFeature = defineFeature({ handlers: rosterHandlers });
