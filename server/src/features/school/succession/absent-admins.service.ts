import { AWAY_AFTER_DAYS } from '#contract/calls/admin-requests.ts';
import { DAY_MS } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { sendMail } from '../../../mail/mail.ts';
import { listAdmins } from '../../accounts/access/access.public.ts';
import { findUnaskedRecipients, getSchoolRow, maySendUnasked, updateSchoolRow } from '../school/school.public.ts';
import { findJoinedAt } from './absent-admins.queries.ts';
import { secondAdminMail } from './succession.mail.ts';
import { listLastUses } from './succession.queries.ts';

/**
 * Records that the only admin of a school is away, and asks them once for a second admin; or that they are back. In holidays
 * and while teaching is not open, this waits: the email is sent unasked.
 */
export async function checkOnlyAdmin(db: SchoolDb, now: Date, config: Config): Promise<void> {
  const { name: school, admin_away_since: recorded } = await getSchoolRow(db);
  const [admin, ...others] = await listAdmins(db);
  const awaySince = admin && others.length === 0 ? await findAwaySince(db, admin.id, now) : undefined;
  if (!admin || !awaySince) {
    if (recorded) await updateSchoolRow(db, { admin_away_since: null });
    return;
  }
  if ((recorded && awaySince <= recorded) || !(await maySendUnasked(db, now))) return;
  await updateSchoolRow(db, { admin_away_since: awaySince });
  if (!(await findUnaskedRecipients(db, [admin.id], now)).has(admin.id)) return;
  const mail = secondAdminMail(config, { recipient: admin.email, firstName: admin.first_name, school });
  await sendMail(db, mail, { users: [admin.id] }, now);
}

/** The last use of the school by its admin, or when they joined it; undefined when that was within 60 days. */
async function findAwaySince(db: SchoolDb, userId: number, now: Date): Promise<Date | undefined> {
  const joinedAt = await findJoinedAt(db, userId);
  const usedAt = (await listLastUses(db, [userId])).get(userId);
  const latest = usedAt && joinedAt && usedAt > joinedAt ? usedAt : joinedAt;
  return latest && latest.getTime() + AWAY_AFTER_DAYS * DAY_MS <= now.getTime() ? latest : undefined;
}
