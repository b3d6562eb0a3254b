import { defineFeature } from '../../../feature.ts';
import { downloadHandlers } from './downloads.routes.ts';
import { pupilPasswordResetJob } from './password-resets.jobs.ts';
import { pupilPasswordResetHandlers } from './password-resets.routes.ts';

export const loginCardsFeature = defineFeature({
  handlers: { ...downloadHandlers, ...pupilPasswordResetHandlers },
  jobs: (services) => [pupilPasswordResetJob(services)],
});
