import type { PlatformDb } from '../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import { addDays, dayIn } from '../../clock.ts';
import { hashToken, newToken } from '../../auth/tokens.ts';
import type { Config } from '../../config.ts';
import { sendMail } from '../../mail/mail.ts';
import { listClasses } from '../classes/classes.public.ts';
import { bucketOf } from '../dashboard/dashboard.public.ts';
import { type ClassWeek, digestMail } from './digest.mail.ts';
import {
  claimDigest,
  endDigest,
  findDigestLink,
  insertDigestLink,
  listDigestRecipients,
  listPupilWeeks,
  type PupilWeek,
} from './digest.queries.ts';

/** How many pupils of a class are named as having done especially well, of each kind. */
const BEST = 3;

/** The Monday of the last whole week before the one that it is now in London, where the digest is scheduled. */
export function lastWeek(now: Date): string {
  return addDays(bucketOf('week', dayIn('Europe/London', now)), -7);
}

/** Sums a class up. Equal times are told apart by books completed, equal numbers of books by time, then by name. */
function sumUp(name: string, pupils: readonly PupilWeek[]): ClassWeek {
  const sum = (key: 'readingTime' | 'booksCompleted') => pupils.reduce((total, pupil) => total + pupil[key], 0);
  const best = (first: 'readingTime' | 'booksCompleted', second: 'readingTime' | 'booksCompleted') =>
    pupils
      .filter((pupil) => pupil[first] > 0)
      .sort((a, b) => b[first] - a[first] || b[second] - a[second])
      .slice(0, BEST);
  return {
    name,
    pupils: pupils.length,
    pupilsReading: pupils.filter(({ hasRead }) => hasRead).length,
    readingTime: sum('readingTime'),
    booksCompleted: sum('booksCompleted'),
    mostTime: best('readingTime', 'booksCompleted'),
    mostBooks: best('booksCompleted', 'readingTime'),
    notRead: pupils.filter(({ hasRead }) => !hasRead),
  };
}

/**
 * Writes the digests of a week for the staff who asked for one and have not had it: a teacher's covers the classes they
 * manage, an admin's the whole school. A person whose classes have no pupils gets none.
 *
 * The link that ends the digest is a random token of each mail, of which the hash alone is stored, like every token
 * of ours. Deriving one from the person would need a secret kept beside the data that it protects, and a token made
 * once could not be put into the next mail without storing it readable. So each mail has its own, and an old mail's
 * works on. It lets whoever holds it end the digest of one person, and nothing else.
 *
 * @param week the Monday of the week covered
 */
export async function writeDigests(db: SchoolDb, week: string, config: Config, now: Date): Promise<void> {
  const recipients = await listDigestRecipients(db);
  if (recipients.length === 0) return;
  const sunday = addDays(week, 6);
  const byClass = Map.groupBy(await listPupilWeeks(db, week, sunday), ({ classId }) => classId);
  for (const recipient of recipients) {
    const classes = (await listClasses(db, recipient))
      .filter(({ id, user_manages }) => user_manages && byClass.has(id))
      .map(({ id, name }) => sumUp(name, byClass.get(id) ?? []));
    const withoutClass = recipient.role === 'admin' ? byClass.get(null) : undefined;
    if (withoutClass) classes.push(sumUp('Pupils without a class', withoutClass));
    if (classes.length === 0 || !(await claimDigest(db, recipient.userId, week, now))) continue;
    const token = newToken();
    await insertDigestLink(db, hashToken(token), recipient.userId, now);
    await sendMail(db, digestMail(config, { recipient, from: week, to: sunday, classes, token }), now);
  }
}

/** Throws `digest_link_unknown` unless the token is that of a digest; changes nothing. */
export async function checkDigestLink(db: PlatformDb, token: string): Promise<{ schoolId: number; userId: number }> {
  const link = await findDigestLink(db, hashToken(token));
  if (!link) throw new AppError('digest_link_unknown');
  return link;
}

/** Ends the digest of the person to whom a token was sent. Throws `digest_link_unknown`. */
export async function unsubscribe(db: PlatformDb, token: string): Promise<void> {
  const { schoolId, userId } = await checkDigestLink(db, token);
  await withSchool(db, schoolId, (school) => endDigest(school, userId));
}
