import { recordChange, NO_ACTOR } from '../../audit/audit-log.queries.ts';
import { inPlatform } from '../../database/platform.ts';
import { withSchool } from '../../database/school.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { findRecipient } from './accounts.queries.ts';

export const LOGIN_FAILURE_JOB = 'login-failure';

export interface LoginFailure {
  /** Null without such an account: there is a job in either case, so that the response time reveals nothing. */
  userId: number | null;
  /** ISO 8601. */
  at: string;
}

/** Records a failed login in the audit log of the account's school, without anything that was typed. */
export const loginFailureJob = ({ database }: Services): Job<LoginFailure> => ({
  name: LOGIN_FAILURE_JOB,
  concurrency: 3,
  run: async ({ userId, at }) => {
    if (userId === null) return;
    await inPlatform(database, async (db) => {
      const user = await findRecipient(db, userId);
      if (!user || user.schoolId === null) return;
      const change = { action: 'login_failed', subjectKind: 'user', subjectId: userId } as const;
      await withSchool(db, user.schoolId, (school) => recordChange(school, NO_ACTOR, new Date(at), change));
    });
  },
});
