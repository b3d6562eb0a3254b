import { defineFeature } from '../../../feature.ts';
import { backgroundWorkHandlers } from './background-work.routes.ts';
import { operatorHandlers } from './operators.routes.ts';

export const operatorsFeature = defineFeature({
  handlers: { ...operatorHandlers, ...backgroundWorkHandlers },
});
