import { defineFeature } from '../../../feature.ts';
import { downloadHandlers } from './downloads.routes.ts';
import { pupilPasswordResetJob } from './password-resets.jobs.ts';
import { pupilPasswordResetHandlers } from './login-cards.routes.ts';

export const loginCardsFeature = defineFeature({
  handlers: { ...downloadHandlers, ...pupilPasswordResetHandlers },
  jobs: (services) => [pupilPasswordResetJob(services)],
});
