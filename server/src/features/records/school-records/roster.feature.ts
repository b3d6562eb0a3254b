import { defineFeature } from '../../../feature.ts';
import { checkJob, checksJob } from './roster-check.jobs.ts';
import { rosterHandlers } from './roster.routes.ts';

export const rosterFeature = defineFeature({
  handlers: rosterHandlers,
  jobs: (services) => [checksJob(services), checkJob(services)],
});
