import type { ImportRowInput } from '#contract/calls/pupil-import.ts';
import { dayIn } from '../../../clock.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { Config } from '../../../config.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { readInSchool, type SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import type { Services, StaffSession } from '../../../context.ts';
import { readList } from '../../../spreadsheets/read-upload.ts';
import type { UploadedFile } from '../../../http/upload.ts';
import { getClass, getClassToChange, lockClassToChange } from '../../school/classes/classes.public.ts';
import { type Credential, generateCredentials } from '../../school/login-cards/login-cards.public.ts';
import {
  assertCapacity,
  getCapacity,
  getPupilsToEdit,
  setClassOfPupils,
  type StatedYearGroup,
  updateYearGroups,
} from '../../school/pupils/pupils.public.ts';
import { recordRun, takeSnapshot } from '../runs/runs.public.ts';
import {
  assertRowsValid,
  classNamesOf,
  countRows,
  applyImportPlan,
  planImportedRows,
} from './create-pupils.service.ts';
import { type ColumnChoices, rememberColumns } from './import-columns.queries.ts';
import { type FoundDigests, keepDigests } from './create-pupils.queries.ts';
import type { Plan } from './import-plan.service.ts';
import { createDigester, parseMatch, toStored } from './match-digests.service.ts';
import type { ParsedImport, ReadingChoices } from './parser.service.ts';
import { swapName } from '../../../lists/names.ts';
import { getListKnowledge } from './import-columns.queries.ts';

/** What the user sends: a file, pasted text, or rows. */
interface ImportInput {
  upload: UploadedFile | undefined;
  text?: string | undefined;
  rows?: readonly ImportRowInput[] | undefined;
  reading: ReadingChoices;
  /** The request names a class for all pupils. */
  classChosen: boolean;
  /** The path of the rows in `errors`: `readers`. */
  path: string;
}

/** What rows have instead of a list. */
const NO_LIST: Omit<ParsedImport, 'rows'> = {
  format: 'rows',
  layout: null,
  layouts: [],
  sheets: [],
  questions: [],
  tags: [],
};

/** The rows of the request; undefined without any. Throws if the file cannot be read. */
export async function parseImport(
  { database, config, clock }: Services,
  me: StaffSession,
  { upload, text, rows: given, reading, classChosen, path }: ImportInput,
): Promise<ParsedImport | undefined> {
  const source = upload ?? text;
  if (source !== undefined) {
    const knowledge = await readInSchool(database, me.schoolId, (db) => getListKnowledge(db, me, config));
    const list = await readList('readPupilList', { source, choice: { ...reading, classChosen }, knowledge });
    const digest = createDigester(config, me.schoolId, dayIn('Europe/London', clock.now()));
    return {
      ...list,
      rows: list.rows.map(({ birthDate, upn, ...row }) => ({ ...row, match: digest(birthDate, upn) })),
    };
  }
  if (!given) return undefined;
  const rows = given.flatMap((row, index) => {
    const name = swapName(row.name.replace(/\s+/g, ' ').trim());
    if (name === '') return [];
    return [
      {
        sheet: '',
        row: index + 1,
        name,
        class: row.class ?? null,
        classId: row.group_id ?? null,
        yearGroup: row.year_group ?? null,
        namesake: row.namesake ?? false,
        shouldMove: row.move_to_class ?? false,
        existingId: row.existing_id ?? null,
        lacksForename: row.lacks_forename ?? false,
        match: row.match ?? null,
        tagIds: row.tag_ids ?? [],
        content: row.name,
        path: `${path}.${index}`,
      },
    ];
  });
  return { ...NO_LIST, rows };
}

/** An import before its transaction: its rows, and a credential for each pupil that it will probably create. */
interface PreparedImport {
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
  const parsed = (await parseImport(services, me, input)) ?? { ...NO_LIST, rows: [] };
  if (me.role !== 'admin' && parsed.rows.some(({ tagIds }) => tagIds.length > 0))
    throw fieldError(input.path, 'Only an administrator of your school can tag pupils.');
  if (parsed.rows.length === 0 && input.upload) throw new AppError('file_empty');
  assertAnswered(parsed);
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

/** Throws `file_has_questions` with each question that must be answered first. */
function assertAnswered({ questions }: ParsedImport): void {
  const open = questions.filter((question) => question.is_required && !question.is_answered);
  if (open.length === 0) return;
  const fields = {
    answers: open.map(({ id, text, choices }) => `${id}: ${text} ${choices.map(({ value }) => value).join(', ')}`),
  };
  throw new AppError('file_has_questions', { fields, text: `${open[0]?.text} No pupils were added.` });
}

/** What the user sends besides the list. */
interface ImportChoices {
  columns?: ColumnChoices | undefined;
  title?: string | undefined;
  /** Pupils of the school who move to the class. */
  existing?: readonly number[] | undefined;
}

/** Applies an import, planned again under the school's lock, in full or not at all, and records it as a run. */
export async function createImported(
  db: SchoolDb,
  me: StaffSession,
  { parsed, credentials }: PreparedImport,
  classId: number | undefined,
  { columns, title, existing = [] }: ImportChoices,
  context: { now: Date; config: Config },
) {
  await lockSchool(db);
  await rememberColumns(db, me, columns, context);
  const schoolClass = classId === undefined ? undefined : await lockClassToChange(db, me, classId);
  const plan = await planImportedRows(db, me, parsed, schoolClass, context.now);
  assertRowsValid(plan);
  await assertCapacity(db, me, placesOf(plan), context.now);
  const yearGroups = findYearGroups(plan);
  const changing = [...plan.moves, ...yearGroups].map(({ pupilId }) => pupilId);
  const before = await takeSnapshot(db, { pupils: [...changing, ...existing], classes: [] });
  const { links, pupils, classes, moved } = await applyImportPlan(db, me, plan, credentials, context);
  await keepDigests(db, findDigests(plan, pupils));
  await updateYearGroups(db, yearGroups, dayIn('Europe/London', context.now));
  const movedExisting = classId === undefined ? 0 : await moveExisting(db, me, classId, existing, context.now);
  const created = { pupils: pupils.map(({ id }) => id), classes: [...classes.values()].map(({ id }) => id) };
  // Existing pupils alone are no list: the class's page undoes their move.
  const runId =
    parsed.rows.length === 0
      ? null
      : await recordRun(db, { kind: 'list', by: me.userId, title }, before, created, context.now);
  const { already, duplicate } = countRows(plan);
  return {
    run_id: runId,
    links,
    readers: pupils,
    meta: {
      created: pupils.length,
      already,
      duplicates: duplicate,
      classes_created: [...classes.values()].map(({ name }) => name),
      moved: moved + movedExisting,
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
  { rows, ...understood }: ParsedImport,
  classId: number | undefined,
  now: Date,
) {
  const schoolClass = classId === undefined ? undefined : await lockClassToChange(db, me, classId);
  const plan = await planImportedRows(db, me, { rows }, schoolClass, now);
  const capacity = await getCapacity(db, now);
  const counts = countRows(plan);
  return {
    understood,
    rows: plan.rows,
    counts,
    new_classes: [...plan.newClasses.values()],
    capacity,
    fits: capacity.left === null || placesOf(plan) <= capacity.left,
  };
}

/** Moves existing pupils to a class. Returns the number moved, without those already in it. */
async function moveExisting(
  db: SchoolDb,
  me: StaffSession,
  classId: number,
  pupilIds: readonly number[],
  now: Date,
): Promise<number> {
  const pupils = await getPupilsToEdit(db, me, [...new Set(pupilIds)]);
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
