import { lockSchool } from '../../database/lock-school.ts';
import type { Config } from '../../config.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { readInSchool, type SchoolDb } from '../../database/school.ts';
import { AppError, fieldError } from '../../http/errors.ts';
import type { Services, StaffSession } from '../../http/pipeline.ts';
import { getClass, getManagedClass, getOwnClass } from '../classes/classes.public.ts';
import { type Credential, generateCredentials } from '../login-cards/login-cards.public.ts';
import { assertCapacity, getCapacity, getOwnPupils, placePupils } from '../pupils/pupils.public.ts';
import { assertRowsValid, classNamesOf, countRows, createPlanned, planImportedRows } from './create-pupils.service.ts';
import type { Plan } from './import-plan.service.ts';
import type { ParsedImport } from './parser.service.ts';
import { type ImportInput, parseImport } from './read-import.service.ts';

/** What an import brings into its transaction: its rows, and a credential for each pupil that it seems to create. */
export interface PreparedImport {
  parsed: ParsedImport;
  credentials: Credential[];
}

/**
 * What creation needs before its transaction: the file is read, and as many passwords are hashed as the
 * import seems to create. Refuses early what the transaction would refuse.
 */
export async function prepareImport(
  { database, config, clock }: Services,
  me: StaffSession,
  input: ImportInput,
  classId: number | undefined,
  mayBeEmpty: boolean,
): Promise<PreparedImport> {
  // The class first: whoever may not act on it learns nothing else.
  if (classId !== undefined) await readInSchool(database, me.schoolId, (db) => getManagedClass(db, me, classId));
  const parsed = (await parseImport(input)) ?? { format: 'rows', sheets: [], rows: [] };
  if (parsed.rows.length === 0 && input.upload) throw new AppError('file_empty');
  if (parsed.rows.length === 0 && !mayBeEmpty) throw fieldError(input.path, 'Enter the name of at least one pupil.');
  const classNames = await readInSchool(database, me.schoolId, async (db) => {
    const plan = await planImportedRows(
      db,
      me,
      parsed,
      classId === undefined ? undefined : await getClass(db, me, classId),
    );
    assertRowsValid(plan);
    await assertCapacity(db, me, placesOf(plan), clock.now());
    return classNamesOf(plan);
  });
  return { parsed, credentials: await generateCredentials(classNames, config.hashCost) };
}

/** Creates what an import brings, planned anew under the school's lock. All or nothing. */
export async function createImported(
  db: SchoolDb,
  me: StaffSession,
  { parsed, credentials }: PreparedImport,
  classId: number | undefined,
  context: { now: Date; config: Config },
) {
  await lockSchool(db);
  const schoolClass = classId === undefined ? undefined : await getOwnClass(db, me, classId);
  const plan = await planImportedRows(db, me, parsed, schoolClass);
  assertRowsValid(plan);
  await assertCapacity(db, me, placesOf(plan), context.now);
  const { links, pupils, classesCreated, placed } = await createPlanned(db, me, plan, credentials, context);
  const { already, duplicate } = countRows(plan);
  return {
    links,
    readers: pupils,
    meta: { created: pupils.length, already, duplicates: duplicate, classes_created: classesCreated, placed },
  };
}

/** Places that a plan takes. */
const placesOf = ({ creating, placing }: Plan): number =>
  creating.length + placing.filter(({ isRestored }) => isRestored).length;

/** What an import would do, without doing it. */
export async function previewImport(
  db: SchoolDb,
  me: StaffSession,
  { format, sheets, rows }: ParsedImport,
  classId: number | undefined,
  now: Date,
) {
  const schoolClass = classId === undefined ? undefined : await getOwnClass(db, me, classId);
  const plan = await planImportedRows(db, me, { rows }, schoolClass);
  const capacity = await getCapacity(db, now);
  const counts = countRows(plan);
  return {
    understood: { format, sheets },
    rows: plan.rows,
    counts,
    new_classes: [...plan.newClasses.values()],
    capacity,
    fits: capacity.left === null || placesOf(plan) <= capacity.left,
  };
}

/** Puts pupils of the school into a class; those in it already are left as they are. Answers how many came. */
export async function placeExisting(
  db: SchoolDb,
  me: StaffSession,
  classId: number,
  pupilIds: readonly number[],
  now: Date,
): Promise<number> {
  const pupils = await getOwnPupils(db, me, [...new Set(pupilIds)]);
  const elsewhere = pupils.filter(({ group: schoolClass }) => schoolClass?.id !== classId).map(({ id }) => id);
  const placed = await placePupils(db, classId, elsewhere);
  if (placed.length > 0)
    await recordChange(db, me, now, {
      action: 'pupils_placed',
      subjectKind: 'class',
      subjectId: classId,
      details: { pupils: placed.map(({ id }) => id) },
    });
  return placed.length;
}
