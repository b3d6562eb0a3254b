import { defineFeature } from '../../../feature.ts';
import { tabletHandlers } from './tablets.routes.ts';

export const tabletsFeature = defineFeature({ handlers: tabletHandlers });
