import { sql } from 'kysely';
import { staffRows } from '../../accounts/access/access.public.ts';
import type { YearEndRecord } from '../../../database/column-types.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { classKey, renameClasses, promoteNextTeachers } from '../../school/classes/classes.public.ts';

/** Locks and returns all classes of the school with their further teachers, pupils and books. */
export async function lockClasses(db: SchoolDb) {
  const classes = await db.tx
    .selectFrom('classes')
    .select(['id', 'name', 'manager_id'])
    .where('school_id', '=', db.schoolId)
    .orderBy('id')
    .forUpdate()
    .execute();
  const pupils = await db.tx
    .selectFrom('pupils')
    .select(['id', 'class_id'])
    .where('school_id', '=', db.schoolId)
    .where('class_id', 'is not', null)
    .orderBy('id')
    .execute();
  const books = await db.tx
    .selectFrom('class_books')
    .select(['class_id', 'book_id'])
    .where('school_id', '=', db.schoolId)
    .orderBy('book_id')
    .execute();
  const teachers = await db.tx
    .selectFrom('class_teachers')
    .select(['class_id', 'user_id'])
    .where('school_id', '=', db.schoolId)
    .orderBy('added_at')
    .orderBy('user_id')
    .execute();
  return classes.map((schoolClass) => ({
    ...schoolClass,
    further: teachers.filter(({ class_id }) => class_id === schoolClass.id).map(({ user_id }) => user_id),
    pupils: pupils.filter(({ class_id }) => class_id === schoolClass.id).map(({ id }) => id),
    books: books.filter(({ class_id }) => class_id === schoolClass.id).map(({ book_id }) => book_id),
  }));
}

/** Sets the names and teachers of classes. */
export async function updateClasses(
  db: SchoolDb,
  changes: readonly { id: number; name: string; manager_id: number | null }[],
): Promise<void> {
  if (changes.length === 0) return;
  await renameClasses(db, changes);
  await sql`
    update classes set manager_id = g.manager_id
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as g (id bigint, manager_id bigint)
    where classes.school_id = ${db.schoolId} and classes.id = g.id`.execute(db.tx);
  await promoteNextTeachers(
    db,
    changes.map(({ id }) => id),
  );
}

/** Deletes classes that have no pupils left. */
export async function deleteClasses(db: SchoolDb, ids: readonly number[]): Promise<void> {
  await db.tx.deleteFrom('classes').where('school_id', '=', db.schoolId).where(inIds('id', ids)).execute();
}

/** Recreates classes under their old IDs, with their books, so that restored pupils return to them. */
export async function recreateClasses(db: SchoolDb, classes: YearEndRecord['left'], now: Date): Promise<void> {
  if (classes.length === 0) return;
  const given = JSON.stringify(
    classes.map((schoolClass) => ({ ...schoolClass, name_key: classKey(schoolClass.name) })),
  );
  await sql`
    insert into classes (school_id, id, name, name_key, manager_id, created_at)
    select ${db.schoolId}::bigint, id, name, name_key, manager_id, ${now}::timestamptz
    from jsonb_to_recordset(${given}::jsonb) as g (id bigint, name text, name_key text, manager_id bigint)
    returning id`.execute(db.tx);
  await sql`
    insert into class_books (school_id, class_id, book_id, assigned_at)
    select ${db.schoolId}::bigint, g.id, b.book_id, ${now}::timestamptz
    from jsonb_to_recordset(${given}::jsonb) as g (id bigint, books bigint[]), unnest(g.books) as b (book_id)
    on conflict do nothing returning book_id`.execute(db.tx);
}

/** The IDs of those pupils that are in the archive. */
export async function listArchivedAmong(db: SchoolDb, ids: readonly number[]): Promise<number[]> {
  const rows = await db.tx
    .selectFrom('pupils')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .where('archived_at', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** The user IDs of the school's staff. */
export async function listStaffIds(db: SchoolDb): Promise<Set<number>> {
  const rows = await staffRows(db).execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

export async function insertYearEnd(db: SchoolDb, by: number, record: YearEndRecord, now: Date): Promise<number> {
  const { id } = await db.tx
    .insertInto('year_ends')
    .values({
      school_id: db.schoolId,
      applied_at: now,
      applied_by: by,
      undone_at: null,
      record: JSON.stringify(record),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The latest year end after `since` that was not undone. */
export const findYearEnd = (db: SchoolDb, since: Date) =>
  db.tx
    .selectFrom('year_ends')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .where('undone_at', 'is', null)
    .where('applied_at', '>', since)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

export async function markUndone(db: SchoolDb, id: number, now: Date): Promise<void> {
  await db.tx
    .updateTable('year_ends')
    .set({ undone_at: now })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', id)
    .execute();
}
