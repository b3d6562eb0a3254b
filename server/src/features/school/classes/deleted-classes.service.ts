import type { SchoolDb } from '../../../database/school.ts';
import type { StaffMember } from '../../../context.ts';
import {
  lockDeletedClass,
  recreateClass,
  removeDeletedClass,
  returnBooks,
  returnLinks,
  returnPupils,
  returnTeachers,
} from './deleted-classes.queries.ts';

/**
 * Restores a deleted class with its teachers, pupils, books and links. Undefined if it is not among the deleted classes
 * that the user can restore. Restoring pupils locks the pupils and their deleted class in the other order, so the caller
 * holds the school's lock.
 */
export async function restoreDeletedClass(db: SchoolDb, me: StaffMember, classId: number, now: Date) {
  const deleted = await lockDeletedClass(db, me, classId, now);
  if (!deleted) return undefined;
  const name = await recreateClass(db, deleted);
  const teachers = await returnTeachers(db, classId);
  const pupils = await returnPupils(db, classId);
  const books = await returnBooks(db, classId, deleted.record.books);
  await returnLinks(db, classId, deleted.record.links);
  await removeDeletedClass(db, classId);
  return { name, formerName: deleted.name, teachers, pupils, books };
}
