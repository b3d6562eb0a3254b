import { roleScopes } from '#contract/permissions.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { detailScope } from './class-rights.access.ts';
import { type ClassRecord, findClass, lockClass } from './classes.queries.ts';

/** A class that the user can see. Throws `class_not_found`. */
export async function getClass(db: SchoolDb, me: StaffSession, classId: number): Promise<ClassRecord> {
  const schoolClass = await findClass(db, me, classId);
  if (!schoolClass) throw new AppError('class_not_found');
  return schoolClass;
}

/** A class that the user can change. Throws `class_not_found`, or `class_not_managed` for another teacher's class. */
export async function getClassToChange(db: SchoolDb, me: StaffSession, classId: number): Promise<ClassRecord> {
  const schoolClass = await getClass(db, me, classId);
  if (!schoolClass.user_manages)
    throw new AppError('class_not_managed', {
      text: `You do not manage ${schoolClass.name}. Ask its teacher or an administrator of your school.`,
    });
  return schoolClass;
}

/** Locks and returns a class that the user can change. Throws as `getClassToChange` does. */
export async function lockClassToChange(db: SchoolDb, me: StaffSession, classId: number): Promise<ClassRecord> {
  if (!(await lockClass(db, classId))) throw new AppError('class_not_found');
  return getClassToChange(db, me, classId);
}

/** Locks and returns a class that the user can change or covers. Throws as `getClassToChange` does. */
export async function lockClassToEditPupils(db: SchoolDb, me: StaffSession, classId: number): Promise<ClassRecord> {
  if (!(await lockClass(db, classId))) throw new AppError('class_not_found');
  return me.covers.includes(classId) ? getClass(db, me, classId) : getClassToChange(db, me, classId);
}

/**
 * A class whose hard words and reasons the user can read: see docs/permissions.md.
 * Throws `class_not_found`, also for another teacher's class.
 */
export async function getClassWithDetails(db: SchoolDb, me: StaffSession, classId: number): Promise<ClassRecord> {
  const schoolClass = await getClass(db, me, classId);
  const details = detailScope(me);
  if (details !== 'school' && !(details === 'own' && schoolClass.user_manages)) throw new AppError('class_not_found');
  return schoolClass;
}

/** Locks and returns a class to which the user can assign books. Throws as `getClassToChange` does. */
export async function lockClassForBooks(db: SchoolDb, me: StaffSession, classId: number): Promise<ClassRecord> {
  if (!(await lockClass(db, classId))) throw new AppError('class_not_found');
  return getClassForBooks(db, me, classId);
}

/** A class to which the user can assign books. Throws as `getClassToChange` does. */
export const getClassForBooks = (db: SchoolDb, me: StaffSession, classId: number): Promise<ClassRecord> =>
  roleScopes[me.role].books === 'school' ? getClass(db, me, classId) : getClassToChange(db, me, classId);

/** Whether the user can assign books to a class or pupil. @param canChange whether they can change it */
export const canAssignBooks = ({ role }: StaffSession, canChange: boolean): boolean =>
  roleScopes[role].books === 'school' || (roleScopes[role].books === 'own' && canChange);
