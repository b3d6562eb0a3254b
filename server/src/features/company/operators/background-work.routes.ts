import { MAX_BOUNCES } from '#contract/mail-delivery.ts';
import { listAlarms } from '../../../audit/audit-alarms.queries.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { listFailedJobs, listJobStates } from '../../../jobs/jobs.queries.ts';
import { retryJob } from '../../../jobs/queue.ts';
import { excuseAddress, listBouncedAddresses } from '../../../mail/delivery.queries.ts';
import { countMails } from '../../../mail/outbox.queries.ts';

/** Shows late and failed jobs, and retries them. */
export const backgroundWorkHandlers = defineHandlers({
  getBackgroundWork: {
    handle: async ({ db, now }) => {
      const jobs = await listJobStates(db);
      const { waiting, oldest_at, given_up, blamed_on_us } = await countMails(db, now);
      const late_seconds = oldest_at ? Math.max(0, Math.round((now.getTime() - oldest_at.getTime()) / 1000)) : 0;
      return {
        jobs: jobs.map((job) => ({ ...job, last_done_at: job.last_done_at?.toISOString() ?? null })),
        mails: { waiting, late_seconds, given_up, blamed_on_us },
        audit_alarms: await listAlarms(db),
      };
    },
  },
  listBouncedAddresses: {
    handle: async ({ db, query: { page, per_page } }) => {
      const { addresses, total } = await listBouncedAddresses(db, { limit: per_page, offset: (page - 1) * per_page });
      return {
        addresses: addresses.map(({ last_at, ...address }) => ({
          ...address,
          last_at: last_at.toISOString(),
          is_blocked: address.bounces >= MAX_BOUNCES,
        })),
        meta: { total, total_filtered: total, page, per_page },
      };
    },
  },
  retryAddress: {
    handle: async ({ db, body }) => {
      await excuseAddress(db, body.email);
      return {};
    },
  },
  listFailedJobs: {
    handle: async ({ db, query: { page, per_page } }) => {
      const { jobs, total } = await listFailedJobs(db, { limit: per_page, offset: (page - 1) * per_page });
      return {
        jobs: jobs.map(({ id, name, school_id, completed_on, tries, error }) => ({
          id,
          name,
          enterprise_id: school_id,
          failed_at: completed_on.toISOString(),
          tries,
          error: error ?? 'unknown',
        })),
        meta: { total, total_filtered: total, page, per_page },
      };
    },
  },
  retryJob: {
    handle: async ({ db, params, body }) => {
      if (!(await retryJob(db, body.name, params.jobId))) throw new AppError('job_not_found');
      return {};
    },
  },
});
