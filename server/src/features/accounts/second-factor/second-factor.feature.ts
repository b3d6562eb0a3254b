import { defineFeature } from '../../../feature.ts';
import { enrolmentHandlers } from './enrolment.routes.ts';
import { dueRecoveriesJob } from './factor-recovery.jobs.ts';
import { staffFactorHandlers } from './staff-factors.routes.ts';
import { secondFactorHandlers } from './second-factor.routes.ts';

export const secondFactorFeature = defineFeature({
  handlers: { ...secondFactorHandlers, ...enrolmentHandlers, ...staffFactorHandlers },
  jobs: (services) => [dueRecoveriesJob(services)],
});
