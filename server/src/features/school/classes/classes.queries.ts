import type { Class } from '#contract/calls/school.ts';
import { distinctYearGroups, type RecordedYearGroup, type YearGroup, yearGroupOn } from '#contract/year-group.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { isTeachingRole } from '#contract/permissions.ts';
import { searchKey } from '#contract/fields.ts';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { findStaffAccounts, lockMember, type StaffAccount } from '../../accounts/access/access.public.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffMember, StaffSession } from '../../../context.ts';
import { canChangeClass, canSeeClass } from './class-rights.access.ts';

/** The form of a class's name for comparison and sorting: lower case, without accents. */
export const classKey = searchKey;

const classRows = (db: SchoolDb, me: StaffMember) =>
  db.tx
    .selectFrom('classes as c')
    .leftJoin(
      countByClass(db, 'pupils')
        .select(
          sql<RecordedYearGroup[]>`coalesce(
            jsonb_agg(distinct jsonb_build_object('code', year_group, 'since', year_group_since))
              filter (where year_group is not null), '[]')`.as('year_groups'),
        )
        .as('p'),
      'p.class_id',
      'c.id',
    )
    .leftJoin(countByClass(db, 'class_books').as('b'), 'b.class_id', 'c.id')
    .leftJoin(
      db.tx
        .selectFrom('class_teachers as g')
        .innerJoin('staff as m', (join) =>
          join.on('m.school_id', '=', db.schoolId).onRef('m.user_id', '=', 'g.user_id'),
        )
        .select(({ ref }) => [
          'g.class_id',
          idsByTime(sql`m.role <> ${ASSISTANT}`, ref('g.added_at'), ref('g.user_id')).as('teacher_ids'),
          idsByTime(sql`m.role = ${ASSISTANT}`, ref('g.added_at'), ref('g.user_id')).as('assistant_ids'),
        ])
        .where('g.school_id', '=', db.schoolId)
        .groupBy('g.class_id')
        .as('t'),
      't.class_id',
      'c.id',
    )
    .select(['c.id', 'c.name', 'c.manager_id'])
    .select((from) => [
      sql<number>`coalesce(p.n, 0)`.as('readers_count'),
      sql<number>`coalesce(b.n, 0)`.as('assigned_book_count'),
      sql<RecordedYearGroup[]>`coalesce(p.year_groups, '[]')`.as('recorded_year_groups'),
      sql<number[]>`coalesce(t.teacher_ids, '{}')`.as('further_teachers'),
      sql<number[]>`coalesce(t.assistant_ids, '{}')`.as('assistant_ids'),
      canChangeClass(db, me, from.ref('c.id')).as('user_manages'),
    ])
    .where('c.school_id', '=', db.schoolId)
    .where(({ ref }) => canSeeClass(db, me, ref('c.id')));

const ASSISTANT = 'teaching_assistant';

/** The users of a class among its staff that meet a condition, in the order in which they were added. */
const idsByTime = (condition: RawBuilder<unknown>, addedAt: Expression<unknown>, userId: Expression<unknown>) =>
  sql<number[]>`coalesce(array_agg(${userId} order by ${addedAt}, ${userId}) filter (where ${condition}), '{}')`;

const countByClass = (db: SchoolDb, table: 'pupils' | 'class_books') =>
  db.tx
    .selectFrom(table)
    .select(['class_id', sql<number>`count(*)`.as('n')])
    .where('school_id', '=', db.schoolId)
    .groupBy('class_id');

type ClassRow = Awaited<ReturnType<ReturnType<typeof classRows>['executeTakeFirstOrThrow']>>;

/** All classes of the school by name, without their teachers' names, as a statement or subquery. */
export const classRowsByName = (db: SchoolDb, me: StaffMember) =>
  classRows(db, me).orderBy('c.name_key').orderBy('c.id');

/** The user IDs of the classes' teachers and assistants; null for a class without a first teacher. */
export const teachersOf = (rows: readonly ClassRow[]): (number | null)[] =>
  rows.flatMap(({ manager_id, further_teachers, assistant_ids }) => [
    manager_id,
    ...further_teachers,
    ...assistant_ids,
  ]);

/** A class with the year groups of its pupils as they were recorded. */
export type ClassRecord = Omit<Class, 'year_groups'> & { recordedYearGroups: readonly RecordedYearGroup[] };

/** A class as the API returns it, with the year groups of a day (YYYY-MM-DD). */
export const toClass = ({ recordedYearGroups, ...schoolClass }: ClassRecord, today: string): Class => ({
  ...schoolClass,
  year_groups: distinctYearGroups(recordedYearGroups.map((recorded) => yearGroupOn(recorded, today))),
});

/** The classes with their teachers' names. */
export function toClasses(rows: readonly ClassRow[], accounts: ReadonlyMap<number, StaffAccount>): ClassRecord[] {
  const toTeacher = (userId: number | null) => {
    const account = accounts.get(userId ?? 0);
    return account ? { id: account.id, first_name: account.first_name, last_name: account.last_name } : null;
  };
  const toTeachers = (userIds: readonly (number | null)[]) =>
    userIds.map(toTeacher).filter((teacher) => teacher !== null);
  return rows.map(({ further_teachers, assistant_ids, recorded_year_groups, ...row }) => ({
    ...row,
    recordedYearGroups: recorded_year_groups,
    manager: toTeacher(row.manager_id),
    teachers: toTeachers([row.manager_id, ...further_teachers]),
    assistants: toTeachers(assistant_ids),
  }));
}

/** All classes of the school by name, each with its counts and whether the user can change it. */
export async function listClasses(db: SchoolDb, me: StaffMember): Promise<ClassRecord[]> {
  const rows = await classRowsByName(db, me).execute();
  return toClasses(rows, await findStaffAccounts(db, teachersOf(rows)));
}

/** One class of the school, as the user sees it. */
export async function findClass(db: SchoolDb, me: StaffSession, classId: number): Promise<ClassRecord | undefined> {
  const rows = await classRows(db, me).where('c.id', '=', classId).execute();
  return toClasses(rows, await findStaffAccounts(db, teachersOf(rows)))[0];
}

/** Locks the class's row until the transaction ends. Returns false if the class does not exist. */
export async function lockClass(db: SchoolDb, classId: number): Promise<boolean> {
  const row = await db.tx
    .selectFrom('classes')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where('id', '=', classId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether another class of the school has the name. */
export async function isNameTaken(db: SchoolDb, name: string, except?: number): Promise<boolean> {
  const rows = await db.tx
    .selectFrom('classes')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where('name_key', '=', classKey(name))
    .execute();
  return rows.some(({ id }) => id !== except);
}

/**
 * Creates a class and returns its ID. An existing name causes a unique violation.
 * @param managerId its teacher; the class has none if this person has left or teaches no more
 */
export async function insertClass(db: SchoolDb, name: string, managerId: number | null, now: Date): Promise<number> {
  const role = managerId === null ? undefined : await lockMember(db, managerId);
  const manager_id = role && isTeachingRole(role) ? managerId : null;
  const { id } = await db.tx
    .insertInto('classes')
    .values({ school_id: db.schoolId, name, name_key: classKey(name), manager_id, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateClassName(db: SchoolDb, classId: number, name: string): Promise<void> {
  await db.tx
    .updateTable('classes')
    .set({ name, name_key: classKey(name) })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', classId)
    .execute();
}

/** Renames classes. Temporary names come first, because 3W can become 4W while 4W becomes 5W. */
export async function renameClasses(db: SchoolDb, changes: readonly { id: number; name: string }[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ id, name }) => ({ id, name, name_key: classKey(name) }));
  const ids = changes.map(({ id }) => id);
  await sql`
    update classes set name_key = ' ' || id where school_id = ${db.schoolId} and ${inIds('id', ids)}`.execute(db.tx);
  await sql`
    update classes set name = g.name, name_key = g.name_key
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (id bigint, name text, name_key text)
    where classes.school_id = ${db.schoolId} and classes.id = g.id`.execute(db.tx);
}

/** Deletes classes that nothing refers to, without the archive. */
export async function deleteUnusedClasses(db: SchoolDb, ids: readonly number[]): Promise<void> {
  await db.tx.deleteFrom('classes').where('school_id', '=', db.schoolId).where(inIds('id', ids)).execute();
}

/** The pupils of a class by name. */
export const listClassPupils = (
  db: SchoolDb,
  classId: number,
): Promise<
  (Pick<Pupil, 'id' | 'name' | 'username'> & {
    last_read_at: Date | null;
    year_group: YearGroup | null;
    year_group_since: string | null;
  })[]
> =>
  db.tx
    .selectFrom('pupils')
    .select(['id', 'name', 'username', 'last_read_at', 'year_group', 'year_group_since'])
    .where('school_id', '=', db.schoolId)
    .where('class_id', '=', classId)
    .orderBy('name_key')
    .orderBy('id')
    .execute();
