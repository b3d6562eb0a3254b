import { defineFeature } from '../../../feature.ts';
import { supplyTeachersJob } from './covers.jobs.ts';
import { coverHandlers } from './covers.routes.ts';

export const coversFeature = defineFeature({
  handlers: coverHandlers,
  jobs: (services) => [supplyTeachersJob(services)],
});
