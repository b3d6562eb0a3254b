import { dayIn } from '../../../clock.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { Config } from '../../../config.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { readInSchool, type SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import type { Services, StaffSession } from '../../../context.ts';
import { getClass, getClassToChange, lockClassToChange } from '../../school/classes/classes.public.ts';
import { type Credential, generateCredentials } from '../../school/login-cards/login-cards.public.ts';
import {
  assertCapacity,
  getCapacity,
  getPupilsToChange,
  setClassOfPupils,
  type StatedYearGroup,
  updateYearGroups,
} from '../../school/pupils/pupils.public.ts';
import {
  assertRowsValid,
  classNamesOf,
  countRows,
  applyImportPlan,
  planImportedRows,
} from './create-pupils.service.ts';
import { type ColumnChoices, rememberColumns } from './import-columns.service.ts';
import { type FoundDigests, keepDigests } from './create-pupils.queries.ts';
import type { Plan } from './import-plan.service.ts';
import { parseMatch, toStored } from './match-digests.service.ts';
import type { ParsedImport } from './parser.service.ts';
import { type ImportInput, parseImport } from './read-import.service.ts';

/** An import before its transaction: its rows, and a credential for each pupil that it will probably create. */
export interface PreparedImport {
  parsed: ParsedImport;
  credentials: Credential[];
}

/**
 * Reads the file and hashes a password for each pupil that the import will probably create. Rejects early what the
 * transaction would reject.
 */
export async function prepareImport(
  services: Services,
  me: StaffSession,
  input: ImportInput,
  classId: number | undefined,
  mayBeEmpty: boolean,
): Promise<PreparedImport> {
  const { database, config, clock } = services;
  // The class is checked first, so that a user without access to it learns nothing else.
  if (classId !== undefined) await readInSchool(database, me.schoolId, (db) => getClassToChange(db, me, classId));
  const parsed = (await parseImport(services, me, input)) ?? { format: 'rows', sheets: [], tags: [], rows: [] };
  if (me.role !== 'admin' && parsed.rows.some(({ tagIds }) => tagIds.length > 0))
    throw fieldError(input.path, 'Only an administrator of your school can tag pupils.');
  if (parsed.rows.length === 0 && input.upload) throw new AppError('file_empty');
  if (parsed.rows.length === 0 && !mayBeEmpty) throw fieldError(input.path, 'Enter the name of at least one pupil.');
  const classNames = await readInSchool(database, me.schoolId, async (db) => {
    const plan = await planImportedRows(
      db,
      me,
      parsed,
      classId === undefined ? undefined : await getClass(db, me, classId),
      clock.now(),
    );
    assertRowsValid(plan);
    await assertCapacity(db, me, placesOf(plan), clock.now());
    return classNamesOf(plan);
  });
  return { parsed, credentials: await generateCredentials(classNames, config.hashCost) };
}

/** Applies an import, planned again under the school's lock, in full or not at all. */
export async function createImported(
  db: SchoolDb,
  me: StaffSession,
  { parsed, credentials }: PreparedImport,
  classId: number | undefined,
  columns: ColumnChoices | undefined,
  context: { now: Date; config: Config },
) {
  await lockSchool(db);
  await rememberColumns(db, me, columns, context);
  const schoolClass = classId === undefined ? undefined : await lockClassToChange(db, me, classId);
  const plan = await planImportedRows(db, me, parsed, schoolClass, context.now);
  assertRowsValid(plan);
  await assertCapacity(db, me, placesOf(plan), context.now);
  const { links, pupils, classes, moved } = await applyImportPlan(db, me, plan, credentials, context);
  await keepDigests(db, findDigests(plan, pupils));
  await updateYearGroups(db, findYearGroups(plan), dayIn('Europe/London', context.now));
  const { already, duplicate } = countRows(plan);
  return {
    links,
    readers: pupils,
    meta: {
      created: pupils.length,
      already,
      duplicates: duplicate,
      classes_created: [...classes.values()].map(({ name }) => name),
      moved,
    },
  };
}

/** The digests of the pupils that a list created, and of those it found whom the user may change. */
function findDigests({ rows }: Plan, created: readonly { id: number }[]): FoundDigests[] {
  let next = 0;
  return rows.flatMap(({ status, existing, match }) => {
    const pupilId = status === 'new' ? created[next++]?.id : existing?.can_update ? existing.id : undefined;
    const { birth, upn } = toStored(parseMatch(match));
    return pupilId === undefined || (birth === null && upn === null) ? [] : [{ pupilId, birth, upn }];
  });
}

/** The year groups that a list states about pupils of the school whom the user may change. */
const findYearGroups = ({ rows }: Plan): StatedYearGroup[] =>
  rows.flatMap(({ status, existing, year_group: yearGroup }) =>
    (status === 'already' || status === 'moved') && existing?.can_update && yearGroup !== null
      ? [{ pupilId: existing.id, yearGroup }]
      : [],
  );

/** The number of places that a plan takes. */
const placesOf = ({ creating, moves }: Plan): number =>
  creating.length + moves.filter(({ isRestored }) => isRestored).length;

/** Describes what an import would do. */
export async function previewImport(
  db: SchoolDb,
  me: StaffSession,
  { format, sheets, tags, rows }: ParsedImport,
  classId: number | undefined,
  now: Date,
) {
  const schoolClass = classId === undefined ? undefined : await lockClassToChange(db, me, classId);
  const plan = await planImportedRows(db, me, { rows }, schoolClass, now);
  const capacity = await getCapacity(db, now);
  const counts = countRows(plan);
  return {
    understood: { format, sheets, tags },
    rows: plan.rows,
    counts,
    new_classes: [...plan.newClasses.values()],
    capacity,
    fits: capacity.left === null || placesOf(plan) <= capacity.left,
  };
}

/** Moves existing pupils to a class. Returns the number moved, without those already in it. */
export async function moveExisting(
  db: SchoolDb,
  me: StaffSession,
  classId: number,
  pupilIds: readonly number[],
  now: Date,
): Promise<number> {
  const pupils = await getPupilsToChange(db, me, [...new Set(pupilIds)]);
  const elsewhere = pupils.filter(({ group: schoolClass }) => schoolClass?.id !== classId).map(({ id }) => id);
  const moved = await setClassOfPupils(db, classId, elsewhere);
  if (moved.length > 0)
    await recordChange(db, me, now, {
      action: 'pupils_placed',
      subjectKind: 'class',
      subjectId: classId,
      details: { pupils: moved.map(({ id }) => id) },
    });
  return moved.length;
}
