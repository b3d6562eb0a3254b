import { inPlatform, readInPlatform } from '../../../database/platform.ts';
import type { Services } from '../../../context.ts';
import type { Job } from '../../../jobs/queue.ts';
import { sendMail } from '../../../mail/mail.ts';
import { LINK_TOKEN } from '../../../mail/outbox.queries.ts';
import { findRecipient } from './accounts.queries.ts';
import { listDueEmailChanges } from './email-change.queries.ts';
import { completeDueEmailChange } from './email-change.service.ts';
import { passwordResetMail } from './password-reset.mail.ts';
import { NO_ACTOR } from '../../../audit/audit-log.queries.ts';
import { listUserSchools } from '../../../auth/user-schools.queries.ts';
import { recordAccountChange } from '../../../audit/account-changes.ts';

export const RESET_LINK_JOB = 'password-reset-link';
/** How long a link is valid: 60 minutes. */
const RESET_LINK_TTL_MS = 3_600_000;

/** Creates a link to choose a new password and mails it; does nothing for an address without an account. */
export const passwordResetJob = ({ database, config, clock }: Services): Job<{ userId: number | null }> => ({
  name: RESET_LINK_JOB,
  concurrency: 3,
  run: async ({ userId }) => {
    if (userId === null) return;
    await inPlatform(database, async (db) => {
      const user = await findRecipient(db, userId);
      if (!user) return;
      const url = `${config.publicUrl}/password/reset?token=${LINK_TOKEN}`;
      const mail = passwordResetMail(config.productName, { ...user, link: url });
      const link = { kind: 'password_reset', userId, schoolId: null, lasts: RESET_LINK_TTL_MS } as const;
      await sendMail(db, { ...mail, link }, { users: [userId] }, clock.now());
    });
  },
});

/** Carries out confirmed changes of address whose day is over, each in a transaction of its own. */
export const dueEmailChangesJob = ({ database, clock, config }: Services): Job => ({
  name: 'email-changes',
  schedule: '*/10 * * * *',
  run: async (_data, signal) => {
    const now = clock.now();
    for (const userId of await readInPlatform(database, (db) => listDueEmailChanges(db, now))) {
      if (signal?.aborted) return;
      await inPlatform(database, (db) => completeDueEmailChange(db, userId, config, now));
    }
  },
});

export const LOGIN_FAILURE_JOB = 'login-failure';

export interface LoginFailure {
  /** Null without such an account: there is a job in either case, so that the response time reveals nothing. */
  userId: number | null;
  /** ISO 8601. */
  at: string;
  /** A wrong password when absent. */
  action?: 'login_factor_failed';
}

/** Records a failed login in the audit log of each of the account's schools, without anything that was typed. */
export const loginFailureJob = ({ database }: Services): Job<LoginFailure> => ({
  name: LOGIN_FAILURE_JOB,
  concurrency: 3,
  run: async ({ userId, at, action = 'login_failed' as const }) => {
    if (userId === null) return;
    await inPlatform(database, async (db) => {
      const schoolIds = await listUserSchools(db, userId);
      const change = { action, subjectKind: 'user' as const, subjectId: userId };
      await recordAccountChange(db, { schoolIds }, NO_ACTOR, new Date(at), change);
    });
  },
});
