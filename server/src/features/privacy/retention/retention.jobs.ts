import type { Services } from '../../../context.ts';
import { type Job, RETENTION_JOB } from '../../../jobs/queue.ts';
import { carryOutRetention } from './retention.service.ts';

/** Each night: removes everything that is past its period. docs/retention.md lists all of it. */
export const retentionJob = (services: Services): Job => ({
  name: RETENTION_JOB,
  schedule: '40 3 * * *',
  canRunLate: true,
  run: (_data, signal) => carryOutRetention(services, signal),
});
