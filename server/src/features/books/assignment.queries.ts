import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';

const anyOf = (ids: readonly number[]) => sql`any(${[...ids]}::bigint[])`;

/** Assigns books to a class; those it has stay as they are, and those that are not offered are passed over. Returns how many are new. */
export async function assignToClass(
  db: SchoolDb,
  classId: number,
  bookIds: readonly number[],
  assignedBy: number | null,
  now: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`insert into class_books (school_id, class_id, book_id, assigned_by, assigned_at)
    select ${db.schoolId}, ${classId}, id, ${assignedBy}::bigint, ${now}::timestamptz from books
    where id = ${anyOf(bookIds)} and withdrawn_at is null order by id
    on conflict do nothing`.execute(db.tx);
  return Number(numAffectedRows);
}

/** Assigns books to one pupil, as `assignToClass` does to a class. */
export async function assignToPupil(
  db: SchoolDb,
  pupilId: number,
  bookIds: readonly number[],
  assignedBy: number | null,
  now: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`insert into pupil_books (school_id, pupil_id, book_id, assigned_by, assigned_at)
    select ${db.schoolId}, ${pupilId}, id, ${assignedBy}::bigint, ${now}::timestamptz from books
    where id = ${anyOf(bookIds)} and withdrawn_at is null order by id
    on conflict do nothing`.execute(db.tx);
  return Number(numAffectedRows);
}

/** Removes books from a class; returns how many it had of them. */
export async function removeFromClass(db: SchoolDb, classId: number, bookIds: readonly number[]): Promise<number> {
  const { numDeletedRows } = await db.tx
    .deleteFrom('class_books')
    .where('school_id', '=', db.schoolId)
    .where('class_id', '=', classId)
    .where('book_id', '=', sql<number>`${anyOf(bookIds)}`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes books from a pupil; returns how many of them the pupil had, besides those of the class. */
export async function removeFromPupil(db: SchoolDb, pupilId: number, bookIds: readonly number[]): Promise<number> {
  const { numDeletedRows } = await db.tx
    .deleteFrom('pupil_books')
    .where('school_id', '=', db.schoolId)
    .where('pupil_id', '=', pupilId)
    .where('book_id', '=', sql<number>`${anyOf(bookIds)}`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** True when all of the books are in the catalogue and offered. */
export async function areOffered(db: SchoolDb, bookIds: readonly number[]): Promise<boolean> {
  const { count } = await db.tx
    .selectFrom('books')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', '=', sql<number>`${anyOf(bookIds)}`)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count === new Set(bookIds).size;
}
