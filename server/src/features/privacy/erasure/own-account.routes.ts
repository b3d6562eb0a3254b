import { recordChange } from '../../../audit/audit-log.queries.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { withPlatform } from '../../../database/platform.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import { listUserSchools } from '../../../auth/user-schools.queries.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { sendMail } from '../../../mail/mail.ts';
import { NO_PEOPLE } from '../../../mail/outbox.queries.ts';
import { emailKey, listStaff } from '../../accounts/access/access.public.ts';
import { eraseInEverySchool } from './erasure.public.ts';
import { leaveSchool } from '../../school/teachers/teachers.public.ts';
import { accountErasedMail } from './own-account.mail.ts';

const inOtherSchool = (name: string) =>
  `You are the only admin of ${name}. Switch to that school, and make a colleague an admin there first.`;

/** Ends the user's own membership of a school. Throws `last_admin`. Returns the address. */
async function leave(db: SchoolDb, me: StaffSession, confirmation: string, now: Date): Promise<string> {
  const { name } = await lockSchool(db);
  const staff = await listStaff(db);
  const self = staff.find(({ id }) => id === me.userId);
  if (!self) throw new AppError('forbidden');
  if (emailKey(confirmation) !== emailKey(self.email))
    throw new AppError('validation', { fields: { confirmation: ['Enter your email address.'] } });
  if (self.role === 'admin' && staff.filter(({ role }) => role === 'admin').length === 1)
    throw new AppError('last_admin', db.schoolId === me.schoolId ? {} : { text: inOtherSchool(name) });
  const classes = await leaveSchool(db, me.userId, now);
  await recordChange(db, me, now, {
    action: 'teacher_removed',
    subjectKind: 'user',
    subjectId: me.userId,
    details: { role: self.role, classes },
  });
  return self.email;
}

/** The same for each of the user's schools. */
async function leaveEverySchool(db: SchoolDb, me: StaffSession, confirmation: string, now: Date): Promise<string> {
  const email = await leave(db, me, confirmation, now);
  await withPlatform(db, async (platform) => {
    for (const schoolId of (await listUserSchools(platform, me.userId)).toSorted((one, other) => one - other))
      await withSchool(platform, schoolId, (school) => leave(school, me, confirmation, now));
  });
  return email;
}

export const ownAccountHandlers = defineHandlers({
  eraseOwnAccount: withPrepare({
    // In transactions of their own. When a later one fails, the account is among the former staff, whom an admin erases.
    prepare: async ({ me, body, now, services, write }) => {
      if (me.isOperator) throw new AppError('forbidden');
      const email = await write((db) => leaveEverySchool(db, me, body.confirmation, now));
      await eraseInEverySchool(services, me.schoolId, me, me.userId, now);
      return email;
    },
    handle: async ({ db, prepared: email, now, services: { config } }) => {
      const { name } = await lockSchool(db);
      // The account is gone.
      await sendMail(db, accountErasedMail(config.productName, email, name), NO_PEOPLE, now);
      return {};
    },
  }),
});
