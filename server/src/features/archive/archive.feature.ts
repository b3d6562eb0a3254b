import { defineFeature } from '../../feature.ts';
import { archiveCleanupJob } from './archive.jobs.ts';
import { archiveHandlers } from './archive.routes.ts';

export const archiveFeature = defineFeature({
  handlers: archiveHandlers,
  jobs: (services) => [archiveCleanupJob(services)],
});
