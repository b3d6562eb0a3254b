import { sql } from 'kysely';
import type { StaffMember } from '../../../context.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { staffRows } from '../../accounts/access/access.public.ts';
import { canChangePupil } from '../../school/classes/classes.public.ts';
import { listLinks } from './links.queries.ts';
import { listChanges, type RunRow } from './runs.queries.ts';
import { readClasses, readPupils } from './snapshot.queries.ts';
import type { UndoState } from './undo-plan.service.ts';

/** The pupils who are in the classes, or would return to them from the archive. */
async function listPupilsOfClasses(db: SchoolDb, classIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from pupils where school_id = ${db.schoolId}
      and (${inIds('class_id', classIds)} or ${inIds('archived_from', classIds)})`.execute(db.tx);
  return rows.map(({ id }) => id);
}

/** Those of the pupils whom the user can change. */
async function listChangeable(db: SchoolDb, me: StaffMember, pupilIds: readonly number[]): Promise<Set<number>> {
  const rows = await db.tx
    .selectFrom('pupils as p')
    .select('p.id')
    .where('p.school_id', '=', db.schoolId)
    .where(inIds('p.id', pupilIds))
    .where(({ ref }) => canChangePupil(db, me, ref('p.class_id')))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** What a run changed, with the school as it is now. Locks the classes and the pupils concerned for `update`. */
export async function readUndoState(
  db: SchoolDb,
  me: StaffMember,
  run: RunRow,
  lock: 'update' | 'none',
): Promise<UndoState> {
  const { changedPupils, changedClasses } = await listChanges(db, run.id);
  const created = changedClasses.filter(({ before }) => before === null).map(({ id }) => id);
  const classes = await readClasses(db, lock);
  const pupilIds = [...new Set([...changedPupils.map(({ id }) => id), ...(await listPupilsOfClasses(db, created))])];
  const pupils = await readPupils(db, lock, pupilIds);
  const changeable = await listChangeable(db, me, pupilIds);
  const books = await db.tx
    .selectFrom('class_books')
    .select('class_id')
    .distinct()
    .where('school_id', '=', db.schoolId)
    .where(inIds('class_id', created))
    .execute();
  const deleted = await db.tx
    .selectFrom('deleted_classes')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where(
      inIds(
        'id',
        changedClasses.map(({ id }) => id),
      ),
    )
    .execute();
  const staff = await staffRows(db).execute();
  const { links, otherLinks } = await listLinks(db, run.source_id);
  return {
    kind: run.kind,
    appliedAt: run.closed_at ?? run.created_at,
    changedPupils,
    changedClasses,
    pupils: pupils.map((pupil) => ({ ...pupil, canChange: changeable.has(pupil.id) })),
    classes,
    classesWithBooks: new Set(books.map(({ class_id }) => class_id)),
    deletedClasses: new Set(deleted.map(({ id }) => id)),
    staff: new Set(staff.map(({ user_id }) => user_id)),
    links,
    linkedElsewhere: new Set(otherLinks.map(({ pupilId }) => pupilId)),
  };
}
