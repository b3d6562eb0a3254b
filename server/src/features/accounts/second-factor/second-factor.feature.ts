import { defineFeature } from '../../../feature.ts';
import { enrolmentHandlers } from './enrolment.routes.ts';
import { factorPolicyHandlers } from './factor-policy.routes.ts';
import { dueRecoveriesJob } from './factor-recovery.jobs.ts';
import { factorRecoveryHandlers } from './factor-recovery.routes.ts';
import { secondFactorHandlers } from './second-factor.routes.ts';

export const secondFactorFeature = defineFeature({
  handlers: { ...secondFactorHandlers, ...enrolmentHandlers, ...factorPolicyHandlers, ...factorRecoveryHandlers },
  jobs: (services) => [dueRecoveriesJob(services)],
});
