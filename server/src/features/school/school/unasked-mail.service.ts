import { listSchoolDays, mondayOf, plusDays } from '#contract/school-calendar.ts';
import { isAreaOpen } from '#contract/school-access.ts';
import { dayIn } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { findBouncedAddresses } from '../../../mail/mail.ts';
import { findStaffAccounts, type StaffAccount, staffRows } from '../../accounts/access/access.public.ts';
import { getSchoolAccess } from '../../billing/subscriptions/subscriptions.public.ts';
import { getSchoolRow } from './school.queries.ts';
import { getCalendar } from './term-dates.queries.ts';

/*
 * The one rule for emails that are sent unasked, such as the weekly email and tips: `docs/mail.md`. The school may be
 * written to while its teaching is open and the current week has a school day. A member of staff may be written to while
 * they belong to the school and their address is confirmed and has not bounced twice.
 */

/** Whether a school may be sent anything unasked at this time. */
export async function maySendUnasked(db: SchoolDb, now: Date): Promise<boolean> {
  const access = await getSchoolAccess(db, now);
  // A closed school can still read, but receives nothing.
  if (access === 'closed' || !isAreaOpen('teaching', access)) return false;
  const { time_zone } = await getSchoolRow(db);
  const from = mondayOf(dayIn(time_zone, now));
  return listSchoolDays(await getCalendar(db), { from, to: plusDays(from, 6) }).length > 0;
}

/**
 * The members of staff who may be sent something unasked at this time, by user ID.
 * @param userIds those who want it, or whom it is about
 */
export async function findUnaskedRecipients(
  db: SchoolDb,
  userIds: readonly number[],
  now: Date,
): Promise<Map<number, StaffAccount>> {
  if (userIds.length === 0 || !(await maySendUnasked(db, now))) return new Map();
  const members = await staffRows(db).where('user_id', 'in', userIds).execute();
  const accounts = await findStaffAccounts(
    db,
    members.map(({ user_id }) => user_id),
  );
  const bounced = await findBouncedAddresses(
    db,
    [...accounts.values()].map(({ email }) => email),
  );
  return new Map(
    [...accounts].filter(
      ([, { email, email_confirmed_at }]) => email_confirmed_at !== null && !bounced.has(email.toLowerCase()),
    ),
  );
}
