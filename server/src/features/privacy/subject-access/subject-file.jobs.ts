import type { Services } from '../../../context.ts';
import type { Job } from '../../../jobs/queue.ts';
import { makeFile } from './subject-file.service.ts';
import { SUBJECT_FILE_JOB, type SubjectFileJob } from './subject-requests.service.ts';

/** Makes the file of a subject access request. An interrupted run is retried and leaves nothing behind. */
export const subjectFileJob = (services: Services): Job<SubjectFileJob> => ({
  name: SUBJECT_FILE_JOB,
  run: (job, signal) => makeFile(services, job, signal),
});
