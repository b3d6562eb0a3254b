import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { eraseDetails } from '../../audit/erase-details.queries.ts';
import { erasePupilFromViews } from '../../audit/record-views.queries.ts';
import type { Database } from '../../database/database.ts';
import { inPlatform, readInPlatform, withPlatform } from '../../database/platform.ts';
import { inIds } from '../../database/in-ids.ts';
import type { PlatformDb } from '../../database/platform-db.ts';
import type { SchoolDb } from '../../database/school.ts';
import { type TableName, tableEntries } from '../../database/table-registry.ts';
import type { ErasureCounts } from './erasure-receipts.queries.ts';
import { countEndingRows } from './school-erasure.queries.ts';
import { addToRun } from './retention.queries.ts';

/** Someone to erase, with what the digest is made of. */
export interface Subject {
  id: number;
  /** Distinguishes them from a later one who gets the same ID after a restore. */
  createdAt: Date;
  /** As emails name them. */
  name: string;
}

async function deleteRows(
  db: SchoolDb | PlatformDb,
  table: TableName,
  condition: RawBuilder<SqlBool>,
): Promise<number> {
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${condition}`.execute(db.tx);
  return Number(numAffectedRows);
}

/**
 * Deletes, table by table, the rows of one person in this school, as the registry declares them. Tables that refer to
 * others come first.
 */
async function deleteDeclaredRows(db: SchoolDb, column: 'pupil' | 'user', id: number): Promise<ErasureCounts> {
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
      if (!name || entry.kind !== 'platform') continue;
      // A pupil's ID is unique in the school, and a user's in all schools.
      const inSchool = column === 'pupil' ? sql`school_id = ${db.schoolId} and ` : sql``;
      counts[table] = await deleteRows(platform, table, sql`${inSchool}${sql.ref(name)} = ${id}`);
    }
  });
  return counts;
}

/** Deletes unsent emails to staff of the school that contain a name. */
const deleteMailsThatName = (db: SchoolDb, name: string): Promise<number> =>
  withPlatform(db, (platform) =>
    deleteRows(
      platform,
      'outbox',
      sql`sent_at is null and strpos(text, ${name}) > 0
        and recipient in (select email from users where school_id = ${db.schoolId})`,
    ),
  );

/**
 * Closes the open subject access request about a person who is being erased, and deletes from all requests about them the
 * files, decisions and texts.
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
      closed_at = coalesce(closed_at, ${now}), requester_name = null, identity_check = null, outcome_note = null,
      file_state = 'none', file_version = null
    where ${about}`.execute(db.tx);
  const ofRequests = sql<SqlBool>`school_id = ${db.schoolId} and request_id in (select id from subject_requests where ${about})`;
  await deleteRows(db, 'subject_request_parts', ofRequests);
  await deleteRows(db, 'subject_request_texts', ofRequests);
}

/** Adds to the number of pupils whom a night erased. */
export const recordErasedPupils = (db: SchoolDb, night: string, pupils: number) =>
  withPlatform(db, (platform) => addToRun(platform, 'pupils', night, pupils));

/** Locks an archived pupil. */
export async function lockArchivedPupil(db: SchoolDb, pupilId: number): Promise<Subject | undefined> {
  const pupil = await db.tx
    .selectFrom('pupils')
    .select(['id', 'name', 'created_at'])
    .where('school_id', '=', db.schoolId)
    .where('id', '=', pupilId)
    .where('archived_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  return pupil && { id: pupil.id, name: pupil.name, createdAt: pupil.created_at };
}

/** Deletes everything about a pupil. Archiving has subtracted their reading from the school's totals. */
export async function deletePupil(db: SchoolDb, { id, name }: Subject, now: Date): Promise<ErasureCounts> {
  await clearSubjectRequests(db, 'pupil_id', id, now);
  const outbox = await deleteMailsThatName(db, name);
  const views = await erasePupilFromViews(db, id);
  return { ...(await deleteDeclaredRows(db, 'pupil', id)), outbox, daily_views: views };
}

/** A former member of staff, whose account no school has now. */
export interface FormerMember extends Subject {
  email: string;
  emailKey: string;
}

/** The IDs of users whom the school removed from its staff. */
async function listRemovedIds(db: SchoolDb): Promise<number[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct subject_id as id from audit_log
    where school_id = ${db.schoolId} and action = 'teacher_removed' and subject_kind = 'user'`.execute(db.tx);
  return rows.map(({ id }) => Number(id));
}

interface FormerRow {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  email_key: string;
  created_at: Date;
}

/** Those of the users who belong to no school and are not of the company's staff. */
const formerMembers = (ids: readonly number[]) => sql<FormerRow>`
  select id, first_name, last_name, email, email_key, created_at from users
  where id = any(${[...ids]}::bigint[]) and school_id is null
    and not exists (select from operators where user_id = users.id)
  order by last_name, first_name, id`;

/** The former members of staff whose accounts the school can erase, by name. */
export async function listFormerMembers(db: SchoolDb): Promise<FormerRow[]> {
  const ids = await listRemovedIds(db);
  if (ids.length === 0) return [];
  const { rows } = await withPlatform(db, (platform) => formerMembers(ids).execute(platform.tx));
  return rows;
}

/** A former member of staff, whose account belongs to no school. */
export async function findFormerMember(db: SchoolDb, userId: number): Promise<FormerMember | undefined> {
  if (!(await listRemovedIds(db)).includes(userId)) return undefined;
  const { rows } = await withPlatform(db, (platform) => formerMembers([userId]).execute(platform.tx));
  const [row] = rows;
  return (
    row && {
      id: row.id,
      name: `${row.first_name} ${row.last_name}`,
      email: row.email,
      emailKey: row.email_key,
      createdAt: row.created_at,
    }
  );
}

/** Locks an account that belongs to no school, which cannot join one meanwhile. Returns whether there is one. */
export async function lockAccountWithoutSchool(db: SchoolDb, userId: number): Promise<boolean> {
  const { rows } = await withPlatform(db, ({ tx }) =>
    sql`select from users where id = ${userId} and school_id is null for update`.execute(tx),
  );
  return rows.length > 0;
}

/**
 * Removes the details of the entries of a school's audit log that name a person. In a transaction of its own: a school
 * only adds to its log, and a cluster cannot change the role between two writes. Returns the number of entries.
 */
export async function clearNamesInLog(
  database: Database,
  schoolId: number,
  { name, email }: Pick<FormerMember, 'name' | 'email'>,
): Promise<number> {
  return inPlatform(database, async (db) => {
    const { rows } = await sql<{ id: number }>`
      select id from audit_log
      where school_id = ${schoolId} and (details ->> 'email' = ${email} or details ->> 'teacher' = ${name})`.execute(
      db.tx,
    );
    return eraseDetails(
      db,
      schoolId,
      rows.map(({ id }) => id),
    );
  });
}

/**
 * Deletes the account of a former member of staff and what names them.
 * @param entries the number of entries of the audit log from which the name was removed before
 */
export async function deleteFormerMember(
  db: SchoolDb,
  { id, name, email, emailKey }: FormerMember,
  entries: number,
  now: Date,
): Promise<ErasureCounts> {
  await clearSubjectRequests(db, 'user_id', id, now);
  const { rows: invites } = await sql<{ id: string }>`
    delete from invites where school_id = ${db.schoolId} and email_key = ${emailKey} returning id`.execute(db.tx);
  const named = await deleteMailsThatName(db, name);
  const { links, mails } = await withPlatform(db, async (platform) => ({
    links: await deleteRows(platform, 'invite_links', sql`invite_id = any (${invites.map((row) => row.id)}::uuid[])`),
    mails: await deleteRows(platform, 'outbox', sql`recipient = ${email}`),
  }));
  return {
    ...(await deleteDeclaredRows(db, 'user', id)),
    invites: invites.length,
    invite_links: links,
    outbox: named + mails,
    audit_log: entries,
  };
}

interface Candidate {
  id: number;
  school_id: number;
  created_at: Date;
}

/** A page of all pupils, by school and ID. */
export async function listPupilsAfter(
  database: Database,
  after: Pick<Candidate, 'id' | 'school_id'>,
  limit: number,
): Promise<Candidate[]> {
  const { rows } = await readInPlatform(database, ({ tx }) =>
    sql<Candidate>`
    select school_id, id, created_at from pupils where (school_id, id) > (${after.school_id}::bigint, ${after.id}::bigint)
    order by school_id, id limit ${limit}`.execute(tx),
  );
  return rows;
}

/** A page of all accounts, by ID. */
export async function listUsersAfter(
  database: Database,
  after: number,
  limit: number,
): Promise<(FormerMember & { schoolId: number | null })[]> {
  const { rows } = await readInPlatform(database, ({ tx }) =>
    sql<{
      id: number;
      school_id: number | null;
      created_at: Date;
      email: string;
      email_key: string;
      name: string;
    }>`
    select id, school_id, created_at, email, email_key, first_name || ' ' || last_name as name from users
    where id > ${after} order by id limit ${limit}`.execute(tx),
  );
  return rows.map((row) => ({
    id: row.id,
    schoolId: row.school_id,
    createdAt: row.created_at,
    email: row.email,
    emailKey: row.email_key,
    name: row.name,
  }));
}

/** Of the staff of a school and the people it removed: those whose accounts end with it. Operators keep theirs. */
export async function listAccountsOfSchool(db: SchoolDb): Promise<number[]> {
  const removed = await listRemovedIds(db);
  return withPlatform(db, async ({ tx }) => {
    const { rows } = await sql<{ id: number }>`
      select id from users
      where (school_id = ${db.schoolId} or school_id is null and id = any(${removed}::bigint[]))
        and not exists (select from operators where user_id = users.id)
      order by id`.execute(tx);
    return rows.map(({ id }) => id);
  });
}

/** Counts the rows of the school that its erasure will delete. */
export const countRowsOfSchool = (db: SchoolDb): Promise<ErasureCounts> =>
  withPlatform(db, (platform) => countEndingRows(platform, db.schoolId));

/**
 * Deletes, in a school that is being erased, the emails to these accounts, to its contacts and to people it invited, and
 * unsent emails that name one of the addresses.
 */
export async function deleteMailsOfSchool(db: SchoolDb, userIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ email: string }>`
    select email from contacts where school_id = ${db.schoolId} and email is not null
    union select email from invites where school_id = ${db.schoolId}`.execute(db.tx);
  return withPlatform(db, async (platform) => {
    const accounts = await platform.tx.selectFrom('users').select('email').where(inIds('id', userIds)).execute();
    const emails = [...new Set([...rows, ...accounts].map(({ email }) => email))];
    return deleteRows(
      platform,
      'outbox',
      sql`recipient = any(${emails}::text[]) or ${inIds('held_for', userIds)}
        or sent_at is null and exists (select from unnest(${emails}::text[]) as e (email) where strpos(text, e.email) > 0)`,
    );
  });
}

/** Deletes accounts with their logins and factors. An operator who was on the school's staff only leaves it. */
export async function deleteAccountsOfSchool(db: SchoolDb, userIds: readonly number[]): Promise<void> {
  await withPlatform(db, async (platform) => {
    for (const [table, { kind, user }] of tableEntries.toReversed())
      if (kind === 'platform' && user) await deleteRows(platform, table, inIds(user, userIds));
    await platform.tx.updateTable('users').set({ school_id: null }).where('school_id', '=', db.schoolId).execute();
  });
}

/** A school whose closing is due: to be closed, or to be erased. */
export interface DueClosing {
  school_id: number;
  is_closed: boolean;
}

/** A page of the closings that are due, by school. */
export async function listDueClosings(
  database: Database,
  now: Date,
  after: number,
  limit: number,
): Promise<DueClosing[]> {
  const { rows } = await readInPlatform(database, ({ tx }) =>
    sql<DueClosing>`
    select school_id, closed_at is not null as is_closed from school_closings
    where school_id > ${after} and coalesce(erase_at, takes_effect_at) <= ${now}
    order by school_id limit ${limit}`.execute(tx),
  );
  return rows;
}

/** Those of these schools that a backup contains and that are not erased, with the time of their registration. */
export async function listSchoolsToErase(
  database: Database,
  schoolIds: readonly number[],
): Promise<{ id: number; createdAt: Date }[]> {
  const { rows } = await readInPlatform(database, ({ tx }) =>
    sql<{ id: number; createdAt: Date }>`
    select id, created_at as "createdAt" from schools
    where ${inIds('id', schoolIds)}
      and not exists (select from erasures where school_id = schools.id and kind = 'school')
    order by id`.execute(tx),
  );
  return rows;
}
