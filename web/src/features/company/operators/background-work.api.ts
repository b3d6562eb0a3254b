import { backgroundWorkCalls, type FailedJob } from '#contract/calls/background-work.ts';
import { mailDeliveryCalls } from '#contract/calls/mail-delivery.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import type { TableState } from '../../../ui/table-url-state.ts';

/** The state of jobs and mails. */
export const backgroundWorkQuery = () => apiQuery(backgroundWorkCalls.getBackgroundWork, {});

/** A page of the nights in which the retention job ran. */
export const retentionRunsQuery = ({ page, perPage }: TableState) =>
  apiQuery(privacyCalls.listRetentionRuns, { query: { page, per_page: perPage } });

/** A page of failed jobs. */
export const failedJobsQuery = ({ page, perPage }: TableState) =>
  apiQuery(backgroundWorkCalls.listFailedJobs, { query: { page, per_page: perPage } });

/** The latest addresses that bounced. */
export const bouncedAddressesQuery = () =>
  apiQuery(mailDeliveryCalls.listBouncedAddresses, { query: { per_page: 100 } });

export const useRetryAddress = () =>
  useInvalidatingMutation((email: string) => call(mailDeliveryCalls.retryAddress, { body: { email } }), {
    awaits: [mailDeliveryCalls.listBouncedAddresses],
  });

export const useRetryJob = () =>
  useInvalidatingMutation(
    ({ id, name }: FailedJob) => call(backgroundWorkCalls.retryJob, { params: { jobId: id }, body: { name } }),
    {
      awaits: [backgroundWorkCalls.listFailedJobs],
      renews: [backgroundWorkCalls.getBackgroundWork],
    },
  );
