import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type DetailsErasure, eraseDetails } from '../../../audit/erase-details.queries.ts';
import { listEntriesAbout, type NamedPeople } from '../../../audit/named-people.queries.ts';
import { erasePupilFromViews } from '../../../audit/record-views.queries.ts';
import { iteratePages } from '../../../database/batches.ts';
import type { Database } from '../../../database/database.ts';
import type { Extent, FormerMember } from './former-staff.queries.ts';
import { inPlatform, readInPlatform, withPlatform } from '../../../database/platform.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { TableName } from '../../../database/table-kinds.ts';
import { tableEntries } from '../registry/registry.public.ts';
import type { ErasureCounts } from './erasure-receipts.queries.ts';
import { countEndingRows } from './school-erasure.queries.ts';
import { addToRemovals, addToRun } from './removals.queries.ts';

/** A person or school to erase, with what the digest is made of. */
export interface Subject {
  id: number;
  createdAt: Date;
}

async function deleteRows(
  db: SchoolDb | PlatformDb,
  table: TableName,
  condition: RawBuilder<SqlBool>,
): Promise<number> {
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${condition}`.execute(db.tx);
  return Number(numAffectedRows);
}

/** The column with the ID of a person, and whether rows that belong to no school or to several are theirs to delete. */
interface DeclaredRows {
  column: 'pupil' | 'user';
  isInSchoolOnly: boolean;
}

/**
 * Deletes, table by table, the rows of one person in this school, as the registry declares them. Tables that refer to
 * others come first.
 */
async function deleteDeclaredRows(
  db: SchoolDb,
  { column, isInSchoolOnly }: DeclaredRows,
  id: number,
): Promise<ErasureCounts> {
  const counts: ErasureCounts = {};
  const declared = tableEntries.toReversed();
  for (const [table, entry] of declared) {
    const name = entry[column];
    if (!name || entry.kind !== 'school') continue;
    counts[table] = await deleteRows(db, table, sql`school_id = ${db.schoolId} and ${sql.ref(name)} = ${id}`);
  }
  await withPlatform(db, async (platform) => {
    for (const [table, entry] of declared) {
      const name = entry[column];
      if (!name || entry.kind !== 'platform' || (isInSchoolOnly && !entry.endsWithSchool)) continue;
      const inSchool = isInSchoolOnly ? sql`school_id = ${db.schoolId} and ` : sql``;
      counts[table] = await deleteRows(platform, table, sql`${inSchool}${sql.ref(name)} = ${id}`);
    }
  });
  return counts;
}

/** Deletes the school's emails about a pupil, sent or not. */
const deleteMailsAboutPupil = (db: SchoolDb, pupilId: number): Promise<number> =>
  withPlatform(db, (platform) =>
    deleteRows(platform, 'outbox', sql`from_school_id = ${db.schoolId} and pupil_ids @> array[${pupilId}::bigint]`),
  );

/**
 * Deletes the emails to and about a user; with the membership alone those of this school. A confirmed address was theirs
 * alone; another one may be a stranger's, to whom only this school has written.
 */
async function deleteMailsOfUser(
  platform: PlatformDb,
  schoolId: number,
  userId: number,
  extent: Extent,
): Promise<number> {
  const user = await platform.tx
    .selectFrom('users')
    .select(['email_key', 'email_confirmed_at'])
    .where('id', '=', userId)
    .executeTakeFirst();
  const ofSchool = sql`and from_school_id = ${schoolId}`;
  const toUser = sql`lower(recipient) = ${user?.email_key ?? null} ${user?.email_confirmed_at ? sql`` : ofSchool}`;
  return deleteRows(
    platform,
    'outbox',
    sql`(user_ids @> array[${userId}::bigint] or ${toUser}) ${extent === 'membership' ? ofSchool : sql``}`,
  );
}

/** Deletes the codes with which support logs in to the school: their reasons may name anyone. They last a minute. */
async function deleteSupportCodes(db: SchoolDb): Promise<void> {
  await withPlatform(db, (platform) =>
    deleteRows(platform, 'one_time_links', sql`school_id = ${db.schoolId} and kind = 'impersonation'`),
  );
}

/**
 * Closes the open requests about a person who is being erased, and deletes from all requests about them the files,
 * decisions and texts.
 */
async function clearSubjectRequests(
  db: SchoolDb,
  column: 'pupil_id' | 'user_id',
  id: number,
  now: Date,
): Promise<void> {
  const about = sql<SqlBool>`school_id = ${db.schoolId} and ${sql.ref(column)} = ${id}`;
  await sql`
    update subject_requests set outcome = case when closed_at is null then 'erased' else outcome end,
      closed_at = coalesce(closed_at, ${now}), requester_name = null, details = null, identity_check = null, outcome_note = null,
      file_state = 'none', file_version = null
    where ${about}`.execute(db.tx);
  const ofRequests = sql<SqlBool>`school_id = ${db.schoolId} and request_id in (select id from subject_requests where ${about})`;
  await deleteRows(db, 'subject_request_parts', ofRequests);
  await deleteRows(db, 'subject_request_texts', ofRequests);
  await sql`update subject_request_steps set note = null where ${ofRequests}`.execute(db.tx);
}

/** Adds to the numbers of people erased that night, of all schools and of this one. */
export async function recordErased(
  db: SchoolDb,
  table: 'pupils' | 'staff',
  night: string,
  people: number,
): Promise<void> {
  await addToRemovals(db, table, night, [[db.schoolId, people]]);
  await withPlatform(db, (platform) => addToRun(platform, table, night, people));
}

/** Locks an archived pupil. */
export async function lockArchivedPupil(db: SchoolDb, pupilId: number): Promise<Subject | undefined> {
  const pupil = await db.tx
    .selectFrom('pupils')
    .select(['id', 'created_at'])
    .where('school_id', '=', db.schoolId)
    .where('id', '=', pupilId)
    .where('archived_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  return pupil && { id: pupil.id, createdAt: pupil.created_at };
}

/** Deletes everything about a pupil. Archiving has subtracted their reading from the school's totals. */
export async function deletePupil(db: SchoolDb, { id }: Subject, now: Date): Promise<ErasureCounts> {
  await clearSubjectRequests(db, 'pupil_id', id, now);
  const outbox = await deleteMailsAboutPupil(db, id);
  const views = await erasePupilFromViews(db, id);
  await deleteSupportCodes(db);
  await clearTitlesOfLists(db, id);
  const counts = await deleteDeclaredRows(db, { column: 'pupil', isInSchoolOnly: true }, id);
  return { ...counts, outbox, daily_views: views };
}

/**
 * Removes the details of the entries of a school's audit log whose text is about a person. In a transaction of its own,
 * because a cluster cannot change the role between two writes. Returns the number of entries.
 */
export const clearDetailsAbout = (
  database: Database,
  schoolId: number,
  { kind, id }: { kind: keyof NamedPeople; id: number },
  erasure: DetailsErasure,
): Promise<number> =>
  inPlatform(database, async (db) =>
    eraseDetails(db, schoolId, await listEntriesAbout(db, schoolId, kind, id), erasure),
  );

/** Removes the names of files with a pupil: they may name the pupil. */
async function clearTitlesOfLists(db: SchoolDb, pupilId: number): Promise<void> {
  await sql`
    update runs set title = null where school_id = ${db.schoolId} and title is not null and exists (
      select from run_rows r where r.school_id = ${db.schoolId} and r.run_id = runs.id and r.pupil_id = ${pupilId})`.execute(
    db.tx,
  );
}

/** Removes the staff from files of school records that wait for a decision: a file names them without an ID. */
async function clearStaffInFiles(db: SchoolDb): Promise<void> {
  await sql`
    update runs set records = jsonb_set(records, '{staff}', '[]')
    where school_id = ${db.schoolId} and jsonb_exists(records, 'staff')`.execute(db.tx);
}

/** Deletes what the school stores about a former member whose account stays. */
export const deleteMembership = (db: SchoolDb, userId: number): Promise<ErasureCounts> =>
  deleteDeclaredRows(db, { column: 'user', isInSchoolOnly: true }, userId);

/** Empties the texts of the request to appoint an admin that a former member is in, which ends because they have left. */
async function clearAdminRequest(db: SchoolDb, userId: number): Promise<void> {
  await sql`
    update admin_requests set note = null, check_note = case when checked_by is not null then '' end
    where school_id = ${db.schoolId} and ${userId}::bigint = any (array[requested_by, new_admin_id] || former_admin_ids)`.execute(
    db.tx,
  );
}

/** Deletes what the school stores about a former member of staff and what names them, with the account or without it. */
export async function deleteFormerMember(
  db: SchoolDb,
  { id, emailKey }: FormerMember,
  extent: Extent,
  now: Date,
): Promise<ErasureCounts> {
  await clearSubjectRequests(db, 'user_id', id, now);
  await clearStaffInFiles(db);
  await clearAdminRequest(db, id);
  const { rows: invites } = await sql<{ id: string }>`
    delete from invites where school_id = ${db.schoolId} and (user_id = ${id} or email_key = ${emailKey})
    returning id`.execute(db.tx);
  const { links, mails } = await withPlatform(db, async (platform) => ({
    links: await deleteRows(platform, 'invite_links', sql`invite_id = any (${invites.map((row) => row.id)}::uuid[])`),
    mails: await deleteMailsOfUser(platform, db.schoolId, id, extent),
  }));
  await deleteSupportCodes(db);
  return {
    ...(await deleteDeclaredRows(db, { column: 'user', isInSchoolOnly: extent === 'membership' }, id)),
    invites: invites.length,
    invite_links: links,
    outbox: mails,
  };
}

/** Rows that are read at once. */
const PAGE_SIZE = 1000;

/** All pupils, also archived ones, by school and ID. */
export const iteratePupils = (database: Database): AsyncGenerator<Subject & { schoolId: number }> =>
  iteratePages((after) =>
    readInPlatform(database, async ({ tx }) => {
      const { rows } = await sql<Subject & { schoolId: number }>`
        select school_id as "schoolId", id, created_at as "createdAt" from pupils
        where (school_id, id) > (${after?.schoolId ?? 0}::bigint, ${after?.id ?? 0}::bigint)
        order by school_id, id limit ${PAGE_SIZE}`.execute(tx);
      return rows;
    }),
  );

/** All accounts, by ID. */
export const iterateUsers = (database: Database): AsyncGenerator<FormerMember & { schoolIds: number[] }> =>
  iteratePages((after) =>
    readInPlatform(database, async ({ tx }) => {
      const { rows } = await sql<FormerMember & { schoolIds: number[] }>`
        select id, array(select school_id from user_schools where user_id = users.id) as "schoolIds", created_at as "createdAt", email_key as "emailKey" from users
        where id > ${after?.id ?? 0} order by id limit ${PAGE_SIZE}`.execute(tx);
      return rows;
    }),
  );

/** Counts the rows of the school that its erasure will delete. */
export const countRowsOfSchool = (db: SchoolDb): Promise<ErasureCounts> =>
  withPlatform(db, (platform) => countEndingRows(platform, db.schoolId));

/** Deletes, in a school that is being erased, the emails that it wrote, and those to and about these accounts. */
export const deleteMailsOfSchool = (db: SchoolDb, userIds: readonly number[]): Promise<number> =>
  withPlatform(db, (platform) =>
    deleteRows(
      platform,
      'outbox',
      sql`from_school_id = ${db.schoolId} or user_ids && ${[...userIds]}::bigint[] or ${inIds('held_for', userIds)}`,
    ),
  );

/** Deletes accounts with their logins and factors. Others on the school's staff, such as operators, only leave it. */
export async function deleteAccountsOfSchool(db: SchoolDb, userIds: readonly number[]): Promise<void> {
  await withPlatform(db, async (platform) => {
    for (const [table, { kind, user }] of tableEntries.toReversed())
      if (kind === 'platform' && user) await deleteRows(platform, table, inIds(user, userIds));
    await platform.tx.deleteFrom('user_schools').where('school_id', '=', db.schoolId).execute();
  });
}

/** A school whose closing is due: to be closed, or to be erased. */
interface DueClosing {
  schoolId: number;
  isClosed: boolean;
}

/** The closings that are due, by school. */
export const iterateDueClosings = (database: Database, now: Date): AsyncGenerator<DueClosing> =>
  iteratePages((after) =>
    readInPlatform(database, async ({ tx }) => {
      const { rows } = await sql<DueClosing>`
        select school_id as "schoolId", closed_at is not null as "isClosed" from school_closings
        where school_id > ${after?.schoolId ?? 0} and coalesce(erase_at, takes_effect_at) <= ${now}
        order by school_id limit ${PAGE_SIZE}`.execute(tx);
      return rows;
    }),
  );

/** Those of these schools that a backup contains and that are not erased, with the time of their registration. */
export async function listSchoolsToErase(database: Database, schoolIds: readonly number[]): Promise<Subject[]> {
  const { rows } = await readInPlatform(database, ({ tx }) =>
    sql<Subject>`
    select id, created_at as "createdAt" from schools
    where ${inIds('id', schoolIds)}
      and not exists (select from erasures where school_id = schools.id and kind = 'school')
    order by id`.execute(tx),
  );
  return rows;
}
