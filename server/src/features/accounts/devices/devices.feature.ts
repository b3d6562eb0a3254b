import { defineFeature } from '../../../feature.ts';
import { deviceHandlers } from './devices.routes.ts';

export const devicesFeature = defineFeature({
  handlers: deviceHandlers,
});
