import { DAY_MS } from '../../clock.ts';
import { runCleanups } from '../../database/batches.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { deleteHiddenAccounts } from './accounts.queries.ts';

const HIDDEN_ACCOUNT_TTL_MS = 30 * DAY_MS;

/** Deletes accounts each night that were registered with another account's address while `HIDE_ACCOUNTS` was on. */
export const hiddenAccountCleanupJob = ({ database, clock }: Services): Job => ({
  name: 'hidden-accounts-cleaning',
  schedule: '50 3 * * *',
  run: (_data, signal) => {
    const before = new Date(clock.now().getTime() - HIDDEN_ACCOUNT_TTL_MS);
    return runCleanups(database, [(db) => deleteHiddenAccounts(db, before)], signal);
  },
});
