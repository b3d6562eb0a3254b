import { yearGroupOn } from '#contract/year-group.ts';
import { recordChange, recordChanges } from '../../../audit/audit-log.queries.ts';
import { dayIn } from '../../../clock.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { getPupil, getPupilsToEdit } from './pupils.access.ts';
import { listPupils, type PupilRecord, renamePupils, toPupil, toPupilFilter, toPupilLogin } from './pupils.queries.ts';
import { lockPupils, updateYearGroups } from './year-groups.queries.ts';

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
      const today = dayIn('Europe/London', now);
      return {
        readers: pupils.map((pupil) => toPupil(pupil, today)),
        meta: { total, total_filtered: filtered, page: query.page, per_page: perPage },
      };
    },
  },
  listPupilLogins: {
    handle: async ({ db, me, query, now }) => {
      const { pupils, total, filtered } = await listPupils(db, me, {
        ...toPupilFilter(query, now),
        canRenewLogin: true,
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
    handle: async ({ db, me, params, now }) => ({
      reader: toPupil(await getPupil(db, me, params.readerId), dayIn('Europe/London', now)),
    }),
  },
  renamePupil: {
    handle: async ({ db, me, params, body, now }) => {
      const [pupil] = (await getPupilsToEdit(db, me, [params.readerId])) as [PupilRecord];
      const today = dayIn('Europe/London', now);
      const before = yearGroupOn(pupil.yearGroup, today);
      const yearGroup = body.year_group === undefined ? before : body.year_group;
      if (pupil.name !== body.name) {
        await renamePupils(db, [{ pupilId: pupil.id, name: body.name }]);
        await recordChange(db, me, now, {
          action: 'pupil_renamed',
          subjectKind: 'pupil',
          subjectId: pupil.id,
        });
      }
      if (yearGroup !== before) {
        await updateYearGroups(db, [{ pupilId: pupil.id, yearGroup }], today);
        await recordChange(db, me, now, {
          action: 'pupil_year_group_changed',
          subjectKind: 'pupil',
          subjectId: pupil.id,
        });
      }
      return { reader: { ...toPupil(pupil, today), name: body.name, year_group: yearGroup } };
    },
  },
  setYearGroups: {
    handle: async ({ db, me, body: { reader_ids: pupilIds, year_group: yearGroup }, now }) => {
      const today = dayIn('Europe/London', now);
      await lockPupils(db, pupilIds);
      const pupils = await getPupilsToEdit(db, me, pupilIds);
      const changed = pupils
        .map(({ id, yearGroup: recorded }) => ({ reader_id: id, year_group: yearGroupOn(recorded, today) }))
        .filter(({ year_group: former }) => former !== yearGroup)
        .toSorted((a, b) => a.reader_id - b.reader_id);
      await updateYearGroups(
        db,
        changed.map(({ reader_id: pupilId }) => ({ pupilId, yearGroup })),
        today,
      );
      await recordChanges(
        db,
        me,
        now,
        changed.map(({ reader_id: pupilId }) => ({
          action: 'pupil_year_group_changed',
          subjectKind: 'pupil',
          subjectId: pupilId,
        })),
      );
      return { changed };
    },
  },
});
