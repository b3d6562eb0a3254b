import type { School } from '#contract/calls/school.ts';
import { sql, type Updateable } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { SchoolDb } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';
import type { StaffMember } from '../../../context.ts';
import { staffRows } from '../../accounts/access/access.public.ts';
import { contactRows } from '../../billing/invoices/invoices.public.ts';
import { classRowsByName } from '../classes/classes.public.ts';

export const getSchoolRow = (db: SchoolDb) =>
  db.tx.selectFrom('schools').selectAll().where('id', '=', db.schoolId).executeTakeFirstOrThrow();

export type SchoolRow = Awaited<ReturnType<typeof getSchoolRow>>;

/** Changes the given columns of the school. */
export async function updateSchoolRow(db: SchoolDb, change: Updateable<Tables['schools']>): Promise<void> {
  await db.tx.updateTable('schools').set(change).where('id', '=', db.schoolId).execute();
}

/** Records that the terms were accepted, once. Returns true the first time. */
export async function setTermsAccepted(db: SchoolDb, now: Date): Promise<boolean> {
  const row = await db.tx
    .updateTable('schools')
    .set({ terms_accepted_at: now })
    .where('id', '=', db.schoolId)
    .where('terms_accepted_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The school with its settings, contacts, the classes that the user can see and its staff, the last two without names.
 * One statement, because every page runs it.
 */
export const getWholeSchool = (db: SchoolDb, me: StaffMember) =>
  db.tx
    .selectFrom('schools')
    .select(['id', 'name', 'urn', 'recording_enabled', 'can_enable_recordings', 'terms_accepted_at', 'new_statistics'])
    .select(['nation', 'nation_chosen', 'names_in_emails', 'created_at', 'admin_away_since'])
    .select([
      setupOf(db.schoolId).as('setup'),
      jsonArrayFrom(contactRows(db)).as('contacts'),
      jsonArrayFrom(classRowsByName(db, me)).as('classes'),
      jsonArrayFrom(staffRows(db)).as('staff'),
      jsonObjectFrom(
        db.tx
          .selectFrom('school_closings')
          .select(['requested_by', 'takes_effect_at', 'closed_at', 'erase_at'])
          .where('school_id', '=', db.schoolId),
      ).as('closing'),
      jsonObjectFrom(
        db.tx
          .selectFrom('admin_requests')
          .select(['id', 'requested_by', 'new_admin_id', 'former_admin_ids', 'requested_at', 'due_at'])
          .where('school_id', '=', db.schoolId),
      ).as('admin_request'),
    ])
    .where('id', '=', db.schoolId)
    .executeTakeFirstOrThrow();

const setupOf = (schoolId: number) => sql<School['setup']>`json_build_object(
  'has_setup_teachers', (select count(*) from staff where school_id = ${schoolId} and until is null and role <> 'supply_teacher') > 1
    or exists (select from invites where school_id = ${schoolId}),
  'has_setup_classes', exists (select from classes where school_id = ${schoolId}),
  'has_setup_pupils', exists (select from pupils where school_id = ${schoolId} and archived_at is null),
  'has_setup_assigned_books', exists (select from class_books where school_id = ${schoolId})
    or exists (select from pupil_books b join pupils p on p.school_id = ${schoolId} and p.id = b.pupil_id and p.archived_at is null
      where b.school_id = ${schoolId}),
  'has_chart_data', exists (select from school_reading_days where school_id = ${schoolId}))`;
