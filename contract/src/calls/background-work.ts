import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, pagedMeta, paging, text, timestamp } from '../fields.ts';

/** Seconds after which a job or mail that is due but has not started counts as late. */
export const LATE_AFTER_S = 300;

const whole = z.number().int();

const jobState = z
  .strictObject({
    name: z.string(),
    /** Due, but not started. */
    waiting: whole,
    active: whole,
    failed: whole,
    /** Seconds by which the oldest waiting one is late. */
    late_seconds: whole,
    /** A cron expression in London time, for scheduled jobs. */
    schedule: z.string().nullable(),
    last_done_at: timestamp.nullable(),
  })
  .meta({ id: 'JobState' });
export type JobState = z.infer<typeof jobState>;

const mailState = z
  .strictObject({
    waiting: whole,
    /** Seconds by which the oldest is late. */
    late_seconds: whole,
    /** Not sent within a day, in the last 90 days. */
    given_up: whole,
    /** Rejected or returned in the last 24 hours because of the sender: its address, its server or its reputation. */
    blamed_on_us: whole,
  })
  .meta({ id: 'MailState' });

const failedJob = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    enterprise_id: id.nullable(),
    failed_at: timestamp,
    tries: whole,
    /** Without values from the database. */
    error: z.string(),
  })
  .meta({ id: 'FailedJob' });
export type FailedJob = z.infer<typeof failedJob>;

const auditAlarm = z
  .strictObject({
    enterprise_id: id,
    /** What shows that its audit log was changed outside the portal. */
    breach: z.string(),
    raised_at: timestamp,
  })
  .meta({ id: 'AuditAlarm' });
export type AuditAlarm = z.infer<typeof auditAlarm>;

export const backgroundWorkCalls = defineCalls({
  getBackgroundWork: {
    method: 'GET',
    path: '/admin/background-work',
    tag: 'Operators',
    summary: 'The state of jobs, mails and audit logs',
    description:
      'Counts failed jobs of the last week and unsent mails of the last 90 days, and lists schools whose audit log does not match its signature.',
    permission: 'operator',
    reply: z.strictObject({ jobs: z.array(jobState), mails: mailState, audit_alarms: z.array(auditAlarm) }),
  },

  listFailedJobs: {
    method: 'GET',
    path: '/admin/failed-jobs',
    tag: 'Operators',
    summary: 'Failed jobs, the latest first',
    permission: 'operator',
    query: z.object(paging),
    reply: z.strictObject({ jobs: z.array(failedJob), meta: pagedMeta }),
  },

  retryJob: {
    method: 'POST',
    path: '/admin/failed-jobs/{jobId}/retry',
    tag: 'Operators',
    summary: 'Retry a failed job',
    permission: 'operator',
    example: { body: { name: 'mail' } },
    params: z.strictObject({ jobId: z.uuid().toLowerCase() }),
    body: z.object({
      name: text('Send the name of the job.', 'A name has at most 100 characters.')
        .min(1, 'Send the name of the job.')
        .max(100, 'A name has at most 100 characters.'),
    }),
    errors: ['job_not_found'],
  },
});
