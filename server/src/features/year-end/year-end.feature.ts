import { defineFeature } from '../../feature.ts';
import { yearEndCleanupJob } from './year-end.jobs.ts';
import { yearEndHandlers } from './year-end.routes.ts';

export const yearEndFeature = defineFeature({
  handlers: yearEndHandlers,
  jobs: (services) => [yearEndCleanupJob(services)],
});
