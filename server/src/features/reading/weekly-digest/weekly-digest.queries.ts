import { sql } from 'kysely';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { StaffMember } from '../../../context.ts';
import { staffRows } from '../../accounts/access/access.public.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { findUnaskedRecipients } from '../../school/school/school.public.ts';

/**
 * A page of the schools with subscribers to the digest, by ID.
 * @param monday the day on which the digest is sent
 * @returns `from`: 7 o'clock that day in the school's time zone
 */
export async function listDigestSchools(
  db: PlatformDb,
  monday: string,
  after: number,
  limit: number,
): Promise<{ id: number; from: Date }[]> {
  const { rows } = await sql<{ id: number; from: Date }>`
    select id, (${monday}::date + time '07:00') at time zone time_zone as "from" from schools
    where id > ${after} and exists (select from staff where school_id = schools.id and digest_optin_at is not null and until is null)
    order by id limit ${limit}`.execute(db.tx);
  return rows;
}

export interface DigestRecipient extends StaffMember {
  email: string;
  firstName: string;
}

/** The subscribers who may be sent the digest, always in the same order, so that concurrent runs wait without deadlocks. */
export async function listDigestRecipients(db: SchoolDb, now: Date): Promise<DigestRecipient[]> {
  const members = await staffRows(db).where('digest_optin_at', 'is not', null).orderBy('user_id').execute();
  const accounts = await findUnaskedRecipients(
    db,
    members.map(({ user_id }) => user_id),
    now,
  );
  return members.flatMap(({ user_id: userId, role }) => {
    const account = accounts.get(userId);
    return account ? [{ userId, role, covers: [], email: account.email, firstName: account.first_name }] : [];
  });
}

/** A pupil's reading in a week: active seconds, and different books completed. */
export interface PupilWeek {
  id: number;
  classId: number | null;
  name: string;
  hasRead: boolean;
  readingTime: number;
  booksCompleted: number;
}

/** Every pupil of the school, by name, with the reading from one day to another, both included. */
export async function listPupilWeeks(db: SchoolDb, from: string, to: string): Promise<PupilWeek[]> {
  const { rows } = await sql<PupilWeek>`
    select p.id, p.class_id as "classId", p.name, count(d.day) > 0 as "hasRead",
      coalesce(sum(d.reading_time), 0) as "readingTime",
      (select count(distinct c.book_id) from book_completions c
        where c.school_id = ${db.schoolId} and c.pupil_id = p.id and c.day between ${from}::date and ${to}::date) as "booksCompleted"
    from pupils p
    left join reading_days d on d.school_id = ${db.schoolId} and d.pupil_id = p.id and d.day between ${from}::date and ${to}::date
    where p.school_id = ${db.schoolId} and p.archived_at is null
    group by p.school_id, p.id
    order by p.name_key, p.id`.execute(db.tx);
  return rows;
}

/** Records that a person gets the digest of a week. Returns false when it is recorded already. */
export async function claimDigest(db: SchoolDb, userId: number, week: string, now: Date): Promise<boolean> {
  const claimed = await db.tx
    .insertInto('digests_sent')
    .values({ school_id: db.schoolId, user_id: userId, week, sent_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Stores the hash of a person's unsubscribe link. */
export async function insertDigestLink(db: SchoolDb, tokenHash: Buffer, userId: number, now: Date): Promise<void> {
  await db.tx
    .insertInto('digest_links')
    .values({ token_hash: tokenHash, school_id: db.schoolId, user_id: userId, created_at: now })
    .execute();
}

/** The person and school of an unsubscribe link. */
export const findDigestLink = (db: PlatformDb, tokenHash: Buffer) =>
  db.tx
    .selectFrom('digest_links')
    .select(['school_id as schoolId', 'user_id as userId'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();

/** Unsubscribes a person; does nothing for one who is not subscribed or has left. */
export async function unsubscribeUser(db: SchoolDb, userId: number): Promise<void> {
  await db.tx
    .updateTable('staff')
    .set({ digest_optin_at: null })
    .where('school_id', '=', db.schoolId)
    .where('user_id', '=', userId)
    .execute();
}
