import { defineFeature } from '../../../feature.ts';
import { retentionJob } from './retention.jobs.ts';
import { retentionHandlers } from './retention.routes.ts';

export const retentionFeature = defineFeature({
  handlers: retentionHandlers,
  jobs: (services) => [retentionJob(services)],
});
