import { mondayOf } from '#contract/school-calendar.ts';
import { roleScopes } from '#contract/permissions.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { addDays, dayIn } from '../../../clock.ts';
import { hashToken, newToken } from '../../../auth/tokens.ts';
import type { Config } from '../../../config.ts';
import { sendMail } from '../../../mail/mail.ts';
import { listClasses } from '../../school/classes/classes.public.ts';
import { getCalendar, getSchoolRow, hasNewStatistics, type SchoolRow } from '../../school/school/school.public.ts';
import { listNeeds, needWithoutFigures } from '../reading-needs/reading-needs.public.ts';
import { chooseDigestWeeks, type DigestWeeks } from './digest-weeks.service.ts';
import { namesForEmail } from './pupil-names.service.ts';
import { type Digest, type DigestClass, type DigestList, digestMail, type DigestPupil } from './weekly-digest.mail.ts';
import {
  claimDigest,
  unsubscribeUser,
  findDigestLink,
  insertDigestLink,
  type DigestRecipient,
  listDigestRecipients,
  listPupilWeeks,
  type PupilWeek,
} from './weekly-digest.queries.ts';

/*
 * The weekly digest: the email about the last school week to staff who have opted in. A teacher's covers the classes they
 * manage, an admin's the whole school. It is sent on Monday at 7 o'clock in the school's time zone, once per person and
 * week, where and when something may be sent unasked: not in a week without a school day, and never to a person whose
 * classes have no pupils. The first one after holidays gives their dates, and covers the school week before them unless the
 * person had that digest already.
 *
 * Each email has its own random unsubscribe token, stored only as a hash, and links in older emails keep working. A token
 * ends the digest of one person, and gives no other access.
 */

/** Names in a digest: ten in all. */
const MAX_IN_NEED = 3;
const MAX_NOT_READ = 4;
const MAX_READ_MOST = 3;

/** The Monday of last week in London, where the digest is scheduled. */
export function mondayOfLastWeek(now: Date): string {
  return addDays(mondayOf(dayIn('Europe/London', now)), -7);
}

interface DigestContext {
  config: Config;
  now: Date;
}

/** The pupils in need, all of them and the most urgent first; null in a school without the new statistics. */
async function listInNeed(
  db: SchoolDb,
  { role, userId }: DigestRecipient,
  school: SchoolRow,
  { config, now }: DigestContext,
) {
  if (!hasNewStatistics(school, config)) return null;
  const selection = roleScopes[role].details === 'school' ? 'school' : { teacherId: userId };
  const { pupils, hidden } = await listNeeds(db, selection, school.time_zone, now);
  return { pupils, hidden };
}

const listOf = <Pupil extends DigestPupil>(pupils: readonly Pupil[], max: number): DigestList<Pupil> => ({
  named: pupils.slice(0, max),
  byClass: new Map([...Map.groupBy(pupils, ({ classId }) => classId)].map(([id, members]) => [id, members.length])),
  total: pupils.length,
});

/** The classes with pupils that a recipient's digest covers. */
async function listDigestClasses(
  db: SchoolDb,
  recipient: DigestRecipient,
  byClass: ReadonlyMap<number | null, readonly PupilWeek[]>,
): Promise<DigestClass[]> {
  const seesSchool = roleScopes[recipient.role].details === 'school';
  const summarise = (id: number | null, name: string): DigestClass => {
    const pupils = byClass.get(id) ?? [];
    return { id, name, pupils: pupils.length, pupilsReading: pupils.filter(({ hasRead }) => hasRead).length };
  };
  const classes = (await listClasses(db, recipient))
    .filter(({ id, user_manages: canChange }) => (seesSchool || canChange) && byClass.has(id))
    .map(({ id, name }) => summarise(id, name));
  return seesSchool && byClass.has(null) ? [...classes, summarise(null, 'Pupils without a class')] : classes;
}

/** What a digest contains: the sentence and the first pupils of the dashboard, who did not read, and who reads most. */
async function buildDigest(
  db: SchoolDb,
  school: SchoolRow,
  recipient: DigestRecipient,
  { week, covered, holiday }: DigestWeeks,
  { classes, pupils, isCovered }: { classes: DigestClass[]; pupils: readonly PupilWeek[]; isCovered: boolean },
  context: DigestContext,
): Promise<Omit<Digest, 'token'>> {
  const naming = school.names_in_emails;
  const names = namesForEmail(pupils, naming === 'none' ? 'initial' : naming);
  const toPupil = ({ id, classId, name }: Pick<PupilWeek, 'id' | 'classId' | 'name'>): DigestPupil => ({
    id,
    classId,
    name: names.get(id) ?? name,
  });
  const inNeed = await listInNeed(db, recipient, school, context);
  const needs =
    inNeed &&
    listOf(
      inNeed.pupils.flatMap(({ id, name, group: schoolClass, needs: [first] }) =>
        first
          ? { ...toPupil({ id, name, classId: schoolClass?.id ?? null }), reason: needWithoutFigures(first.evidence) }
          : [],
      ),
      MAX_IN_NEED,
    );
  // A pupil with a reason, shown or hidden, is not repeated.
  const withReason = new Set([...(inNeed?.pupils ?? []), ...(inNeed?.hidden ?? [])].map(({ id }) => id));
  const readMost = pupils
    .filter(({ readingTime }) => readingTime > 0)
    .toSorted((a, b) => b.readingTime - a.readingTime || b.booksCompleted - a.booksCompleted)
    .slice(0, naming === 'none' ? 0 : MAX_READ_MOST);
  return {
    recipient,
    naming,
    classes,
    holiday,
    needs,
    reading: isCovered
      ? {
          days: covered,
          isLastWeek: covered.from === week,
          notRead: listOf(
            pupils.filter(({ id, hasRead }) => !hasRead && !withReason.has(id)).map(toPupil),
            MAX_NOT_READ,
          ),
          readMost: readMost.map(toPupil),
        }
      : null,
  };
}

/**
 * Sends the digests of a week to the subscribers who have not had theirs.
 * @param week the Monday of last week
 */
export async function sendDigests(db: SchoolDb, week: string, config: Config, now: Date): Promise<void> {
  const recipients = await listDigestRecipients(db, now);
  const weeks = recipients.length > 0 && chooseDigestWeeks(await getCalendar(db), week);
  if (!weeks) return;
  const school = await getSchoolRow(db);
  const { from, to } = weeks.covered;
  const byClass = Map.groupBy(await listPupilWeeks(db, from, to), ({ classId }) => classId);
  for (const recipient of recipients) {
    const classes = await listDigestClasses(db, recipient, byClass);
    if (classes.length === 0 || !(await claimDigest(db, recipient.userId, week, now))) continue;
    const isCovered = from === week || (await claimDigest(db, recipient.userId, from, now));
    const pupils = classes.flatMap(({ id }) => byClass.get(id) ?? []);
    const digest = await buildDigest(db, school, recipient, weeks, { classes, pupils, isCovered }, { config, now });
    const token = newToken();
    await insertDigestLink(db, hashToken(token), recipient.userId, now);
    const named = [digest.needs?.named, digest.reading?.notRead.named, digest.reading?.readMost].flatMap(
      (list) => list ?? [],
    );
    const people = { users: [recipient.userId], pupils: [...new Set(named.map(({ id }) => id))] };
    await sendMail(db, digestMail(config, { ...digest, token }), people, now);
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
