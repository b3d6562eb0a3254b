import { defineFeature } from '../../../feature.ts';
import { checkJob, checksJob } from './check.jobs.ts';
import { schoolRecordsHandlers } from './school-records.routes.ts';

export const schoolRecordsFeature = defineFeature({
  handlers: schoolRecordsHandlers,
  jobs: (services) => [checksJob(services), checkJob(services)],
});
