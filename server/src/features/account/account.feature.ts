import { defineFeature } from '../../feature.ts';
import { accountHandlers } from './account.routes.ts';

export const accountFeature = defineFeature({ handlers: accountHandlers });
