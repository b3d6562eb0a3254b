import { AppError } from '../../../errors.ts';
import { findToken, consumeToken } from '../../../auth/one-time-tokens.queries.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { sendMail } from '../../../mail/mail.ts';
import { recordAccountChange } from '../../../audit/account-changes.ts';
import { trustDevice } from '../devices/devices.public.ts';
import { findLogin, lockUser } from './access.queries.ts';
import { proveEmail } from './email-confirmation.service.ts';
import { accountChangedMail } from './accounts.mail.ts';
import { getCredentials, setPassword } from './accounts.queries.ts';
import { RESET_LINK_JOB } from './access.jobs.ts';
import { assertNewPassword, hashPassword } from '../../../auth/password-hashing.ts';

export const passwordResetHandlers = defineHandlers({
  requestPasswordReset: {
    handle: async ({ db, body, services }) => {
      const account = await findLogin(db, body.email);
      if (!account && !services.config.hideAccounts) throw new AppError('user_not_found');
      // A job in either case, so that the response time does not reveal whether the account exists.
      await enqueue(db, RESET_LINK_JOB, { userId: account?.id ?? null });
      return {};
    },
  },
  verifyPasswordReset: {
    handle: async ({ db, body, now }) => {
      if (!(await findToken(db, 'password_reset', body.token, now))) throw new AppError('reset_link_expired');
      return {};
    },
  },
  resetPassword: withPrepare({
    // The link is checked first: without a valid one there is nothing to hash.
    prepare: async ({ body, now, services, read }) => {
      const account = await read(async (db) => {
        const link = await findToken(db, 'password_reset', body.token, now);
        return link && getCredentials(db, link.userId);
      });
      if (!account) throw new AppError('reset_link_expired');
      assertNewPassword(body.password, account, services.config);
      return hashPassword(body.password, services.config.hashCost);
    },
    handle: async ({ db, body, prepared, now, client, services }) => {
      const link = await consumeToken(db, 'password_reset', body.token, now);
      if (!link) throw new AppError('reset_link_expired');
      const user = await lockUser(db, link.userId);
      await setPassword(db, user.id, prepared);
      await proveEmail(db, user, now);
      // The user reads the account's mail, so failed logins by others must not lock them out.
      await trustDevice(db, user.id, client, now, services.config);
      const mail = { email: user.email, firstName: user.first_name, changed: ['password'] };
      await sendMail(db, accountChangedMail(services.config.productName, mail), { users: [user.id] }, now);
      const actor = { userId: user.id, impersonatorId: null };
      const change = { action: 'password_reset', subjectKind: 'user', subjectId: user.id } as const;
      await recordAccountChange(db, user, actor, now, change);
      return {};
    },
  }),
});
