import { defineFeature } from '../../feature.ts';
import { withdrawnBooksCleanupJob } from './catalogue.jobs.ts';

export const catalogueFeature = defineFeature({
  jobs: (services) => [withdrawnBooksCleanupJob(services)],
});
