import { defineFeature } from '../../../feature.ts';
import { erasedDetailsJob, erasureListJob } from './erasure.jobs.ts';
import { erasureHandlers } from './erasure.routes.ts';
import { ownAccountHandlers } from './own-account.routes.ts';

export const erasureFeature = defineFeature({
  handlers: { ...erasureHandlers, ...ownAccountHandlers },
  jobs: (services) => [
    erasedDetailsJob(services),
    ...(services.config.backupDir ? [erasureListJob(services, services.config.backupDir)] : []),
  ],
});
