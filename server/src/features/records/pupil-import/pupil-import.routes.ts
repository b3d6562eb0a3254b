import { fieldError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { createImported, moveExisting, parseImport, prepareImport, previewImport } from './pupil-import.service.ts';

export const pupilImportHandlers = defineHandlers({
  previewPupils: withPrepare({
    prepare: async ({ body, upload, me, services }) => {
      const { text, readers: rows, roles } = body;
      const classChosen = body.group_id !== undefined;
      const parsed = await parseImport(services, me, { upload, text, rows, roles, classChosen, path: 'readers' });
      if (!parsed) throw fieldError('readers_file', 'Choose a file, or paste the names.');
      return parsed;
    },
    handle: ({ db, me, body, prepared, now }) => previewImport(db, me, prepared, body.group_id, now),
  }),
  createPupils: withPrepare({
    prepare: ({ body, upload, me, services }) => {
      const { readers: rows, roles } = body;
      const classChosen = body.group_id !== undefined;
      const input = { upload, rows, roles, classChosen, path: 'readers' };
      return prepareImport(services, me, input, body.group_id, false);
    },
    handle: ({ db, me, body, prepared, now, services }) =>
      createImported(db, me, prepared, body.group_id, body.columns, { now, config: services.config }),
  }),
  addPupilsToClass: withPrepare({
    prepare: ({ params, body, upload, me, services }) => {
      const input = {
        upload,
        rows: body.readers?.new,
        roles: body.roles,
        classChosen: true,
        path: 'readers.new',
      };
      const movesExisting = (body.readers?.existing.length ?? 0) > 0;
      return prepareImport(services, me, input, params.groupId, movesExisting);
    },
    handle: async ({ db, me, params, body, prepared, now, services }) => {
      const created = await createImported(db, me, prepared, params.groupId, body.columns, {
        now,
        config: services.config,
      });
      const moved = await moveExisting(db, me, params.groupId, body.readers?.existing ?? [], now);
      return { ...created, meta: { ...created.meta, moved: created.meta.moved + moved } };
    },
  }),
});
