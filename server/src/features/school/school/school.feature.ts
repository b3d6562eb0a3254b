import { defineFeature } from '../../../feature.ts';
import { schoolDetailsHandlers } from './details.routes.ts';
import { registrationHandlers } from './registration.routes.ts';
import { schoolHandlers } from './school.routes.ts';
import { termDateHandlers } from './term-dates.routes.ts';

export const schoolFeature = defineFeature({
  handlers: { ...registrationHandlers, ...schoolHandlers, ...schoolDetailsHandlers, ...termDateHandlers },
});
