import { randomUUID } from 'node:crypto';
import type { Role } from '#contract/permissions.ts';
import { type NotNull, sql } from 'kysely';
import { forgetAllDevices } from '../../../auth/known-devices.queries.ts';
import { createToken, removeLinks } from '../../../auth/one-time-tokens.queries.ts';
import { NO_PASSWORD } from '../../../auth/password-hashing.ts';
import { removeUserSessions } from '../../../auth/sessions.queries.ts';
import { addUserSchool } from '../../../auth/user-schools.queries.ts';
import { inIds } from '../../../database/in-ids.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { insertStaff } from '../school/school.public.ts';

const coverRows = (db: SchoolDb, now: Date) =>
  db.tx
    .selectFrom('covers as v')
    .innerJoin('classes as c', (join) => join.on('c.school_id', '=', db.schoolId).onRef('c.id', '=', 'v.class_id'))
    .innerJoin('staff as m', (join) => join.on('m.school_id', '=', db.schoolId).onRef('m.user_id', '=', 'v.user_id'))
    .select(['v.id', 'v.class_id', 'c.name as class_name', 'v.user_id', 'm.role', 'v.given_by', 'v.ends_at'])
    .where('v.school_id', '=', db.schoolId)
    .where('v.ends_at', '>', now)
    .where('m.until', 'is', null)
    .$narrowType<{ role: NotNull }>();

export type CoverRow = Awaited<ReturnType<ReturnType<typeof coverRows>['executeTakeFirstOrThrow']>>;

/** The covers of classes that have not ended, by their ends. */
export const listCoverRows = (db: SchoolDb, classIds: readonly number[], now: Date): Promise<CoverRow[]> =>
  coverRows(db, now).where(inIds('v.class_id', classIds)).orderBy('v.ends_at').orderBy('v.id').execute();

/** A cover that has not ended. */
export const findCover = (db: SchoolDb, id: number, now: Date): Promise<CoverRow | undefined> =>
  coverRows(db, now).where('v.id', '=', id).executeTakeFirst();

/** The covers of a person that have not ended, by their ends. */
export const listCoversBy = (db: SchoolDb, userId: number, now: Date): Promise<CoverRow[]> =>
  coverRows(db, now).where('v.user_id', '=', userId).orderBy('v.ends_at').orderBy('v.id').execute();

/** Locks someone on the staff, also a supply teacher, who keeps their role until the transaction ends. Returns the role. */
export async function lockCoveringMember(db: SchoolDb, userId: number): Promise<Role | undefined> {
  const row = await db.tx
    .selectFrom('staff')
    .select('role')
    .where('school_id', '=', db.schoolId)
    .where('user_id', '=', userId)
    .where('until', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row?.role ?? undefined;
}

/** Lets someone cover a class until a time, also when they do already. Returns the cover's ID. */
export async function saveCover(
  db: SchoolDb,
  cover: { class_id: number; user_id: number; given_by: number; ends_at: Date },
  now: Date,
): Promise<number> {
  const { id } = await db.tx
    .insertInto('covers')
    .values({ school_id: db.schoolId, ...cover, started_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['school_id', 'class_id', 'user_id'])
        .doUpdateSet({ given_by: cover.given_by, started_at: now, ends_at: cover.ends_at }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function deleteCovers(db: SchoolDb, ids: readonly number[]): Promise<void> {
  await db.tx.deleteFrom('covers').where('school_id', '=', db.schoolId).where(inIds('id', ids)).execute();
}

/** Adds a supply teacher to the staff, with an account without an address or a password. Returns the user's ID. */
export async function insertSupplyTeacher(
  db: SchoolDb,
  name: { first_name: string; last_name: string },
  now: Date,
): Promise<number> {
  const userId = await withPlatform(db, async (platform) => {
    const { id } = await platform.tx
      .insertInto('users')
      .values({
        ...name,
        user_type: 'enterprise',
        email: '',
        email_key: `supply ${randomUUID()}`,
        // There is no address that they could be asked to confirm.
        email_confirmed_at: now,
        password_hash: NO_PASSWORD,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await addUserSchool(platform, { id, schoolIds: [] }, db.schoolId, now);
    return id;
  });
  await insertStaff(db, userId, 'supply_teacher', now);
  return userId;
}

/** The end of the day of a time in the school's time zone. */
export async function findEndOfDay(db: SchoolDb, now: Date): Promise<Date> {
  const { rows } = await sql<{ ends_at: Date }>`
    select (date_trunc('day', ${now}::timestamptz at time zone time_zone) + interval '1 day') at time zone time_zone
      as ends_at
    from schools where id = ${db.schoolId}`.execute(db.tx);
  return (rows[0] as { ends_at: Date }).ends_at;
}

/** Whether these users have a code that works today, and whether it has been used. */
export async function listCodes(
  db: SchoolDb,
  userIds: readonly number[],
  now: Date,
): Promise<Map<number, 'unused' | 'used'>> {
  if (userIds.length === 0) return new Map();
  const rows = await withPlatform(db, ({ tx }) =>
    tx
      .selectFrom('one_time_links')
      .select(['user_id', 'used_at'])
      .where('kind', '=', 'supply_code')
      .where(inIds('user_id', userIds))
      .where('expires_at', '>', now)
      .execute(),
  );
  return new Map(rows.map(({ user_id, used_at }) => [user_id, used_at === null ? 'unused' : 'used']));
}

/** Gives a supply teacher a code in place of the one before, and logs out the device that used that. */
export const replaceCode = (db: SchoolDb, userId: number, code: string, expiresAt: Date, now: Date): Promise<void> =>
  withPlatform(db, async (platform) => {
    await removeUserSessions(platform, userId);
    await forgetAllDevices(platform, userId);
    await removeLinks(platform, userId, ['supply_code']);
    const lasts = expiresAt.getTime() - now.getTime();
    await createToken(platform, { kind: 'supply_code', userId, schoolId: db.schoolId, lasts }, now, code);
  });

/** Supply teachers without a cover, who are still on the staff of their schools. */
export const listSupplyTeachersToRemove = (db: PlatformDb, now: Date) =>
  db.tx
    .selectFrom('staff as m')
    .select(['m.school_id', 'm.user_id'])
    .where('m.role', '=', 'supply_teacher')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('covers as v')
            .select('v.id')
            .whereRef('v.school_id', '=', 'm.school_id')
            .whereRef('v.user_id', '=', 'm.user_id')
            .where('v.ends_at', '>', now),
        ),
      ),
    )
    .orderBy('m.school_id')
    .orderBy('m.user_id')
    .limit(MAX_AT_ONCE)
    .execute();

/** How many supply teachers one run of the job removes. */
const MAX_AT_ONCE = 1000;
