import { mondayOf } from '#contract/school-calendar.ts';
import { roleScopes } from '#contract/permissions.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { isSchoolClosed } from '../../billing/subscriptions/subscriptions.public.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { addDays, dayIn } from '../../../clock.ts';
import { hashToken, newToken } from '../../../auth/tokens.ts';
import type { Config } from '../../../config.ts';
import { sendMail } from '../../../mail/mail.ts';
import { listClasses } from '../../school/classes/classes.public.ts';
import { type ClassWeek, digestMail } from './weekly-digest.mail.ts';
import {
  claimDigest,
  unsubscribeUser,
  findDigestLink,
  insertDigestLink,
  listDigestRecipients,
  listPupilWeeks,
  type PupilWeek,
} from './weekly-digest.queries.ts';

/*
 * The weekly digest: the email about last week's reading to staff who have opted in. A teacher's covers the classes they
 * manage, an admin's the whole school. It is sent on Monday at 7 o'clock in the school's time zone, once per person and
 * week; never to an unconfirmed address, to a person whose classes have no pupils, or in a closed school.
 *
 * Each email has its own random unsubscribe token, stored only as a hash, and links in older emails keep working. A token
 * ends the digest of one person, and gives no other access.
 */

/** How many of a class's top pupils are named, by time and by books. */
const MAX_TOP_PUPILS = 3;

/** The Monday of last week in London, where the digest is scheduled. */
export function mondayOfLastWeek(now: Date): string {
  return addDays(mondayOf(dayIn('Europe/London', now)), -7);
}

/** Summarises a class. Ties in time are broken by books completed, ties in books by time, then by name. */
function summariseClass(name: string, pupils: readonly PupilWeek[]): ClassWeek {
  const sum = (key: 'readingTime' | 'booksCompleted') => pupils.reduce((total, pupil) => total + pupil[key], 0);
  const listTop = (first: 'readingTime' | 'booksCompleted', second: 'readingTime' | 'booksCompleted') =>
    pupils
      .filter((pupil) => pupil[first] > 0)
      .sort((a, b) => b[first] - a[first] || b[second] - a[second])
      .slice(0, MAX_TOP_PUPILS);
  return {
    name,
    pupils: pupils.length,
    pupilsReading: pupils.filter(({ hasRead }) => hasRead).length,
    readingTime: sum('readingTime'),
    booksCompleted: sum('booksCompleted'),
    topByTime: listTop('readingTime', 'booksCompleted'),
    topByBooks: listTop('booksCompleted', 'readingTime'),
    notRead: pupils.filter(({ hasRead }) => !hasRead),
  };
}

/**
 * Sends the digests of a week to the subscribers who have not had theirs.
 * @param week the Monday of the week covered
 */
export async function sendDigests(db: SchoolDb, week: string, config: Config, now: Date): Promise<void> {
  if (await isSchoolClosed(db)) return;
  const recipients = await listDigestRecipients(db);
  if (recipients.length === 0) return;
  const sunday = addDays(week, 6);
  const byClass = Map.groupBy(await listPupilWeeks(db, week, sunday), ({ classId }) => classId);
  for (const recipient of recipients) {
    const seesSchool = roleScopes[recipient.role].details === 'school';
    const classes = (await listClasses(db, recipient))
      .filter(({ id, user_manages: canChange }) => (seesSchool || canChange) && byClass.has(id))
      .map(({ id, name }) => summariseClass(name, byClass.get(id) ?? []));
    const withoutClass = seesSchool ? byClass.get(null) : undefined;
    if (withoutClass) classes.push(summariseClass('Pupils without a class', withoutClass));
    if (classes.length === 0 || !(await claimDigest(db, recipient.userId, week, now))) continue;
    const token = newToken();
    await insertDigestLink(db, hashToken(token), recipient.userId, now);
    const mail = digestMail(config, { recipient, from: week, to: sunday, classes, token });
    const pupils = classes.flatMap(({ topByTime, topByBooks, notRead }) =>
      [...topByTime, ...topByBooks, ...notRead].map(({ id }) => id),
    );
    await sendMail(db, mail, { users: [recipient.userId], pupils }, now);
  }
}

/** The person and school of an unsubscribe token. Throws `digest_link_unknown`. */
export async function getDigestLink(db: PlatformDb, token: string): Promise<{ schoolId: number; userId: number }> {
  const link = await findDigestLink(db, hashToken(token));
  if (!link) throw new AppError('digest_link_unknown');
  return link;
}

/** Unsubscribes the person to whom a token was sent. Throws `digest_link_unknown`. */
export async function unsubscribe(db: PlatformDb, token: string): Promise<void> {
  const { schoolId, userId } = await getDigestLink(db, token);
  await withSchool(db, schoolId, (school) => unsubscribeUser(school, userId));
}
