import { defineFeature } from '../../../feature.ts';
import { absentAdminsJob, adminRequestsJob } from './succession.jobs.ts';
import { successionHandlers } from './succession.routes.ts';

export const successionFeature = defineFeature({
  handlers: successionHandlers,
  jobs: (services) => [adminRequestsJob(services), absentAdminsJob(services)],
});
