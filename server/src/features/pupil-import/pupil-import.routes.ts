import type { Config } from '../../config.ts';
import { inSchool, type SchoolDb } from '../../database/school.ts';
import { AppError, fieldError } from '../../http/errors.ts';
import { defineHandlers, withPrepare, type Services, type StaffSession } from '../../http/pipeline.ts';
import { getClass, getOwnClass } from '../classes/classes.public.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import {
  classNamesOf,
  countRows,
  createPlanned,
  planImportedRows,
  assertCapacity,
  assertRowsValid,
} from './create-pupils.service.ts';
import { lockSchool } from '../school/school.public.ts';
import { getCapacity } from './create-pupils.queries.ts';
import { type ImportInput, parseImport } from './pupil-import.service.ts';
import { generateCredentials, type Credential } from '../login-cards/login-cards.public.ts';
import { placePupils } from '../pupils/pupils.public.ts';
import { getOwnPupils } from '../pupils/pupils.public.ts';
import type { ParsedImport } from './parser.service.ts';

interface Prepared {
  roll: ParsedImport;
  secrets: Credential[];
}

/**
 * What creation needs before its transaction: the file is read, and as many passwords are hashed as the
 * import seems to create. Refuses early what the transaction would refuse.
 */
async function prepareCreation(
  { database, config }: Services,
  me: StaffSession,
  given: ImportInput,
  classId: number | undefined,
  mayBeEmpty: boolean,
): Promise<Prepared> {
  // The class first: whoever may not act on it learns nothing else.
  if (classId !== undefined) await inSchool(database, me.schoolId, (db) => getOwnClass(db, me, classId));
  const roll = (await parseImport(given)) ?? { format: 'rows', sheets: [], rows: [] };
  if (roll.rows.length === 0 && given.upload) throw new AppError('file_empty');
  if (roll.rows.length === 0 && !mayBeEmpty) throw fieldError(given.path, 'Enter the name of at least one pupil.');
  const classNames = await inSchool(database, me.schoolId, async (db) => {
    const plan = await planImportedRows(
      db,
      me,
      roll,
      classId === undefined ? undefined : await getClass(db, me, classId),
    );
    assertRowsValid(plan);
    await assertCapacity(db, me, plan.creating.length);
    return classNamesOf(plan);
  });
  return { roll, secrets: await generateCredentials(classNames, config.hashCost) };
}

async function create(
  db: SchoolDb,
  me: StaffSession,
  { roll, secrets }: Prepared,
  classId: number | undefined,
  context: { now: Date; config: Config },
) {
  await lockSchool(db);
  const schoolClass = classId === undefined ? undefined : await getOwnClass(db, me, classId);
  const plan = await planImportedRows(db, me, roll, schoolClass);
  assertRowsValid(plan);
  await assertCapacity(db, me, plan.creating.length);
  const { links, pupils, classesCreated } = await createPlanned(db, me, plan, secrets, context);
  const { already, duplicate } = countRows(plan);
  return {
    links,
    readers: pupils,
    meta: { created: pupils.length, already, duplicates: duplicate, classes_created: classesCreated, placed: 0 },
  };
}

export const pupilImportHandlers = defineHandlers({
  previewPupils: withPrepare({
    prepare: async ({ body, upload }) => {
      const given = {
        upload,
        text: body.text,
        rows: body.readers,
        roles: body.roles,
        classChosen: body.group_id !== undefined,
        path: 'readers',
      };
      const roll = await parseImport(given);
      if (!roll) throw fieldError('readers_file', 'Choose a file, or paste the names.');
      return roll;
    },
    handle: async ({ db, me, body, prepared: { format, sheets, rows } }) => {
      const plan = await planImportedRows(
        db,
        me,
        { rows },
        body.group_id === undefined ? undefined : await getOwnClass(db, me, body.group_id),
      );
      const capacity = await getCapacity(db);
      const counts = countRows(plan);
      const fits = capacity.left === null || counts.new <= capacity.left;
      return {
        understood: { format, sheets },
        rows: plan.rows,
        counts,
        new_classes: [...plan.newClasses.values()],
        capacity,
        fits,
      };
    },
  }),
  createPupils: withPrepare({
    prepare: ({ body, upload, me, services }) =>
      prepareCreation(
        services,
        me,
        { upload, rows: body.readers, roles: body.roles, classChosen: body.group_id !== undefined, path: 'readers' },
        body.group_id,
        false,
      ),
    handle: ({ db, me, body, prepared, now, services }) =>
      create(db, me, prepared, body.group_id, { now, config: services.config }),
  }),
  addPupilsToClass: withPrepare({
    prepare: ({ params, body, upload, me, services }) =>
      prepareCreation(
        services,
        me,
        { upload, rows: body.readers?.new, roles: body.roles, classChosen: true, path: 'readers.new' },
        params.groupId,
        (body.readers?.existing.length ?? 0) > 0,
      ),
    handle: async ({ db, me, params, body, prepared, now, services }) => {
      const done = await create(db, me, prepared, params.groupId, { now, config: services.config });
      const pupils = await getOwnPupils(db, me, [...new Set(body.readers?.existing)]);
      const placed = await placePupils(
        db,
        params.groupId,
        pupils.filter((pupil) => pupil.group?.id !== params.groupId).map(({ id }) => id),
      );
      if (placed.length > 0)
        await recordChange(db, me, now, {
          action: 'pupils_placed',
          subjectKind: 'class',
          subjectId: params.groupId,
          details: { pupils: placed.map(({ id }) => id) },
        });
      return { ...done, meta: { ...done.meta, placed: placed.length } };
    },
  }),
});
