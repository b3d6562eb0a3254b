import type { PupilBook } from '#contract/calls/books.ts';
import { sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** A class or pupil to which books are assigned. */
export interface Assignee {
  kind: 'class' | 'pupil';
  id: number;
}

const TABLES = {
  class: { table: sql.table('class_books'), column: sql.ref('class_id') },
  pupil: { table: sql.table('pupil_books'), column: sql.ref('pupil_id') },
};

/** Assigns the books that are in the library and not assigned yet. Returns the number assigned. */
export async function assignBooks(
  db: SchoolDb,
  { kind, id }: Assignee,
  bookIds: readonly number[],
  assignedBy: number | null,
  now: Date,
): Promise<number> {
  const { table, column } = TABLES[kind];
  // Counts the rows returned, because on a cluster the affected rows include those that existed.
  const { rows } = await sql`insert into ${table} (school_id, ${column}, book_id, assigned_by, assigned_at)
    select ${db.schoolId}, ${id}, id, ${assignedBy}::bigint, ${now}::timestamptz from books
    where ${inIds('id', bookIds)} and withdrawn_at is null order by id
    on conflict do nothing returning book_id`.execute(db.tx);
  return rows.length;
}

/** Removes books from a class or pupil; a pupil keeps the books of the class. Returns the number removed. */
export async function removeBooks(db: SchoolDb, { kind, id }: Assignee, bookIds: readonly number[]): Promise<number> {
  const { table, column } = TABLES[kind];
  const { numAffectedRows } = await sql`delete from ${table}
    where school_id = ${db.schoolId} and ${column} = ${id} and ${inIds('book_id', bookIds)}`.execute(db.tx);
  return Number(numAffectedRows);
}

/** Assigns the books to each of the pupils. Returns the new assignments. */
export async function assignBooksToPupils(
  db: SchoolDb,
  pupilIds: readonly number[],
  bookIds: readonly number[],
  assignedBy: number | null,
  now: Date,
): Promise<PupilBook[]> {
  const { rows } = await sql<PupilBook>`insert into pupil_books (school_id, pupil_id, book_id, assigned_by, assigned_at)
    select ${db.schoolId}, p.id, b.id, ${assignedBy}::bigint, ${now}::timestamptz from pupils p cross join books b
    where p.school_id = ${db.schoolId} and ${inIds('p.id', pupilIds)} and ${inIds('b.id', bookIds)}
      and b.withdrawn_at is null
    order by p.id, b.id
    on conflict do nothing returning pupil_id as reader_id, book_id`.execute(db.tx);
  return rows;
}

/** Removes books from pupils. Returns what was assigned until now. */
export async function removeBooksFromPupils(db: SchoolDb, assigned: readonly PupilBook[]): Promise<PupilBook[]> {
  const { rows } = await sql<PupilBook>`delete from pupil_books where school_id = ${db.schoolId}
    and (pupil_id, book_id) in (select * from unnest(
      ${assigned.map(({ reader_id: pupilId }) => pupilId)}::bigint[], ${assigned.map(({ book_id }) => book_id)}::bigint[]))
    returning pupil_id as reader_id, book_id`.execute(db.tx);
  return rows;
}

/** True when all of the books are in the library. */
export async function areOffered(db: SchoolDb, bookIds: readonly number[]): Promise<boolean> {
  const { count } = await db.tx
    .selectFrom('books')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(inIds('id', bookIds))
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count === new Set(bookIds).size;
}
