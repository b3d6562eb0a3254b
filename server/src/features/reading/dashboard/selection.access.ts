import { sql } from 'kysely';
import { roleScopes } from '#contract/permissions.ts';
import type { StaffSession } from '../../../context.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { getClass, getClassWithDetails, ownClassIds } from '../../school/classes/classes.public.ts';
import { helpedPupilIds } from '../../school/pupils/pupils.public.ts';

/** The pupils whose reading is shown. Pupils count in their current class. */
export type Selection = { pupilId: number } | ClassSelection;
/** Any selection but one pupil. */
export type ClassSelection =
  | { classId: number }
  | { teacherId: number }
  | { assistantId: number; covers: readonly number[] }
  | 'school';

/**
 * The selection when no class or pupil is requested: the whole school for admins and reading leads, their own classes for
 * teachers, and whom they help or cover for teaching assistants and supply teachers.
 */
export function defaultSelection({ role, userId, covers }: StaffSession): ClassSelection {
  if (roleScopes[role].details === 'school') return 'school';
  return roleScopes[role].pupils === 'own' ? { assistantId: userId, covers } : { teacherId: userId };
}

/** A class that the caller can see, or the default. Throws `class_not_found`. */
export const getSelection = async (db: SchoolDb, me: StaffSession, classId?: number): Promise<ClassSelection> =>
  classId === undefined ? defaultSelection(me) : { classId: (await getClass(db, me, classId)).id };

/** A class whose pupils' details the caller may see, or the default. Throws `class_not_found`. */
export const getSelectionWithDetails = async (
  db: SchoolDb,
  me: StaffSession,
  classId?: number,
): Promise<ClassSelection> =>
  classId === undefined ? defaultSelection(me) : { classId: (await getClassWithDetails(db, me, classId)).id };

/** The SQL condition that a column is the ID of a pupil of the selection. */
export function pupilCondition(db: SchoolDb, selection: Selection, column: ReturnType<typeof sql.ref>) {
  if (selection === 'school') return sql`true`;
  if ('pupilId' in selection) return sql`${column} = ${selection.pupilId}`;
  if ('classId' in selection)
    return sql`${column} in (select id from pupils where school_id = ${db.schoolId} and class_id = ${selection.classId})`;
  if ('teacherId' in selection)
    return sql`${column} in (select id from pupils where school_id = ${db.schoolId}
      and class_id in ${ownClassIds(db, selection.teacherId)})`;
  return sql`${column} in (select id from pupils where school_id = ${db.schoolId}
    and (class_id in ${ownClassIds(db, selection.assistantId)} or ${inIds('class_id', selection.covers)}
      or id in ${helpedPupilIds(db, selection.assistantId)}))`;
}

/** The SQL condition that a row of daily totals is of the selection and of a day between two, both included. */
export const isOnDays = (db: SchoolDb, selection: Selection, from: string, to: string) => sql`
  day between ${from}::date and ${to}::date and ${pupilCondition(db, selection, sql.ref('pupil_id'))}`;

/**
 * The SQL condition that reading session `s` began on a day between two, both included.
 * @param timeZone the school's
 */
export const hasBegunOnDays = (timeZone: string, from: string, to: string) => sql`
  s.started_at >= ${from}::date::timestamp at time zone ${timeZone}
  and s.started_at < (${to}::date + 1)::timestamp at time zone ${timeZone}`;
