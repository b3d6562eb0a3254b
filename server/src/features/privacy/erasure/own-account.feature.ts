import { defineFeature } from '../../../feature.ts';
import { accountHandlers } from './own-account.routes.ts';

export const accountFeature = defineFeature({ handlers: accountHandlers });
