import { defineFeature } from '../../../feature.ts';
import { schoolClosingsJob } from './school-closing.jobs.ts';
import { schoolClosingHandlers } from './school-closing.routes.ts';

export const schoolClosingFeature = defineFeature({
  handlers: schoolClosingHandlers,
  jobs: (services) => [schoolClosingsJob(services)],
});
