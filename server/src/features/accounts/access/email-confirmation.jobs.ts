import { DAY_MS } from '../../../clock.ts';
import { inPlatform } from '../../../database/platform.ts';
import type { Services } from '../../../context.ts';
import type { Job } from '../../../jobs/queue.ts';
import { sendMail } from '../../../mail/mail.ts';
import { LINK_TOKEN } from '../../../mail/outbox.queries.ts';
import { emailKey, findLogin } from './access.queries.ts';
import { findConfirmation } from './accounts.queries.ts';
import { findEmailChange } from './email-change.queries.ts';
import { alreadyRegisteredMail, confirmationMail } from './email-confirmation.mail.ts';

export const EMAIL_CONFIRMATION_JOB = 'email-confirmation';
/** How long a link is valid. */
const CONFIRMATION_LINK_TTL_MS = 7 * DAY_MS;

/**
 * Mails a link that confirms a user's new or current address. Does nothing where there is nothing to confirm: an
 * invitation may have confirmed it meanwhile. If another account has the address, tells its owner instead.
 */
export const emailConfirmationJob = ({ database, config, clock }: Services): Job<{ userId: number }> => ({
  name: EMAIL_CONFIRMATION_JOB,
  concurrency: 3,
  run: ({ userId }) =>
    inPlatform(database, async (db) => {
      const user = await findConfirmation(db, userId);
      const change = await findEmailChange(db, userId, clock.now());
      const isChange = change !== undefined && change.confirmedAt === null;
      const email = isChange ? change.email : user?.confirmedAt === null ? user.email : undefined;
      if (!user || email === undefined) return;
      const owner = await findLogin(db, email);
      if (isChange ? owner : user.hiddenKey === emailKey(email)) {
        const mail = alreadyRegisteredMail(config.productName, email, config.publicUrl);
        return sendMail(db, mail, { users: [owner?.id ?? userId] }, clock.now());
      }
      const { firstName } = user;
      const link = `${config.publicUrl}/confirm/email/${LINK_TOKEN}`;
      const mail = confirmationMail(config.productName, { email, firstName, link, isChange });
      const lasts = CONFIRMATION_LINK_TTL_MS;
      await sendMail(
        db,
        { ...mail, link: { kind: 'email_confirmation', userId, schoolId: null, lasts, email } },
        { users: [userId] },
        clock.now(),
      );
    }),
});
