import { fieldError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { createImported, parseImport, prepareImport, previewImport } from './pupil-import.service.ts';

export const pupilImportHandlers = defineHandlers({
  previewPupils: withPrepare({
    prepare: async ({ body, upload, me, services }) => {
      const { text, readers: rows, group_id: classId, ...reading } = body;
      const input = { upload, text, rows, reading, classChosen: classId !== undefined, path: 'readers' };
      const parsed = await parseImport(services, me, input);
      if (!parsed) throw fieldError('readers_file', 'Choose a file, or paste the names.');
      return parsed;
    },
    handle: ({ db, me, body, prepared, now }) => previewImport(db, me, prepared, body.group_id, now),
  }),
  createPupils: withPrepare({
    prepare: ({ body, upload, me, services }) => {
      const { readers: rows, group_id: classId, ...reading } = body;
      const input = { upload, rows, reading, classChosen: classId !== undefined, path: 'readers' };
      return prepareImport(services, me, input, classId, false);
    },
    handle: ({ db, me, body, prepared, now, services }) =>
      createImported(db, me, prepared, body.group_id, body, { now, config: services.config }),
  }),
  addPupilsToClass: withPrepare({
    prepare: ({ params, body, upload, me, services }) => {
      const { readers: pupils, ...reading } = body;
      const input = { upload, rows: pupils?.new, reading, classChosen: true, path: 'readers.new' };
      const movesExisting = (pupils?.existing.length ?? 0) > 0;
      return prepareImport(services, me, input, params.groupId, movesExisting);
    },
    handle: ({ db, me, params, body, prepared, now, services }) =>
      createImported(
        db,
        me,
        prepared,
        params.groupId,
        { columns: body.columns, title: body.title, existing: body.readers?.existing },
        { now, config: services.config },
      ),
  }),
});
