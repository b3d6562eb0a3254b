import { defineFeature } from '../../../feature.ts';
import { erasedDetailsJob, erasureListJob } from '../erasure/erasure.jobs.ts';
import { privacyHandlers } from './privacy.routes.ts';
import { retentionJob } from './retention.jobs.ts';

export const privacyFeature = defineFeature({
  handlers: privacyHandlers,
  jobs: (services) => [
    retentionJob(services),
    erasedDetailsJob(services),
    ...(services.config.backupDir ? [erasureListJob(services, services.config.backupDir)] : []),
  ],
});
