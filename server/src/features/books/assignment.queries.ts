import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';

/** Assigns books to a class; those it has stay as they are. */
export async function assignToClass(
  db: SchoolDb,
  classId: number,
  bookIds: readonly number[],
  assignedBy: number | null,
  now: Date,
): Promise<void> {
  await sql`insert into class_books (school_id, class_id, book_id, assigned_by, assigned_at)
    select ${db.schoolId}, ${classId}, id, ${assignedBy}::bigint, ${now}::timestamptz from books where id = any (${[...bookIds]}::bigint[])
    on conflict do nothing`.execute(db.tx);
}

/** Assigns books to one pupil; those they have stay as they are. */
export async function assignToPupil(
  db: SchoolDb,
  pupilId: number,
  bookIds: readonly number[],
  assignedBy: number | null,
  now: Date,
): Promise<void> {
  await sql`insert into pupil_books (school_id, pupil_id, book_id, assigned_by, assigned_at)
    select ${db.schoolId}, ${pupilId}, id, ${assignedBy}::bigint, ${now}::timestamptz from books where id = any (${[...bookIds]}::bigint[])
    on conflict do nothing`.execute(db.tx);
}
