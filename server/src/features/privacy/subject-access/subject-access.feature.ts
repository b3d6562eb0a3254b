import { defineFeature } from '../../../feature.ts';
import { subjectAccessHandlers } from './subject-access.routes.ts';
import { subjectFileJob } from './subject-file.jobs.ts';

export const subjectAccessFeature = defineFeature({
  handlers: subjectAccessHandlers,
  jobs: (services) => [subjectFileJob(services)],
});
