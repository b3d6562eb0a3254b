import { defineFeature } from '../../../feature.ts';
import { loginCardHandlers } from './login-cards.routes.ts';
import { pupilPasswordResetJob } from './password-resets.jobs.ts';

export const loginCardsFeature = defineFeature({
  handlers: loginCardHandlers,
  jobs: (services) => [pupilPasswordResetJob(services)],
});
