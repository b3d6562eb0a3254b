import { recordChange } from '../../../audit/audit-log.queries.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { getOwnPupil, getPupil } from './pupils.access.ts';
import { toPupilFilter } from './pupil-filter.service.ts';
import { listPupils, toPupilLogin, updatePupilName } from './pupils.queries.ts';

export const pupilHandlers = defineHandlers({
  listPupils: {
    handle: async ({ db, me, query, now }) => {
      const [sort, direction] = Object.entries(query.sort ?? {})[0] ?? ['name', 'asc'];
      const perPage = query.length ?? query.per_page;
      const { pupils, total, filtered } = await listPupils(db, me, {
        ...toPupilFilter(query, now),
        sort: sort as keyof NonNullable<typeof query.sort>,
        direction: direction ?? 'asc',
        page: query.page,
        perPage,
      });
      return { readers: pupils, meta: { total, total_filtered: filtered, page: query.page, per_page: perPage } };
    },
  },
  listPupilLogins: {
    handle: async ({ db, me, query, now }) => {
      const { pupils, total, filtered } = await listPupils(db, me, {
        ...toPupilFilter(query, now),
        classes: me.role === 'admin' ? undefined : ['mine', 'none'],
        sort: 'name',
        direction: 'asc',
        page: query.page,
        perPage: query.per_page,
      });
      return {
        readers: pupils.map(toPupilLogin),
        meta: { total, total_filtered: filtered, page: query.page, per_page: query.per_page },
      };
    },
  },
  getPupil: {
    handle: async ({ db, me, params }) => ({ reader: await getPupil(db, me, params.readerId) }),
  },
  renamePupil: {
    handle: async ({ db, me, params, body, now }) => {
      const pupil = await getOwnPupil(db, me, params.readerId);
      if (pupil.name !== body.name) {
        await updatePupilName(db, pupil.id, body.name);
        await recordChange(db, me, now, {
          action: 'pupil_renamed',
          subjectKind: 'pupil',
          subjectId: pupil.id,
        });
      }
      return { reader: { ...pupil, name: body.name } };
    },
  },
});
