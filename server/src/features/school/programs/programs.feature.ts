import { defineFeature } from '../../../feature.ts';
import { programsJob } from './programs.jobs.ts';
import { programHandlers } from './programs.routes.ts';

export const programsFeature = defineFeature({
  handlers: programHandlers,
  jobs: (services) => [programsJob(services)],
});
