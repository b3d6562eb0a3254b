import { DAY_MS, dayIn, formatLongDay } from '../../clock.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { readInSchool } from '../../database/school.ts';
import { defineHandlers, withPrepare } from '../../http/pipeline.ts';
import { FileReply } from '../../http/replies.ts';
import { FILE_LIMITS, runInWorker } from '../../workers/worker-pool.ts';
import { getClass } from '../classes/classes.public.ts';
import { getPupilWithDetails } from '../pupils/pupils.public.ts';
import { getSchoolWithStatistics } from '../school/school.public.ts';
import { listNeeds } from './needs-list.service.ts';
import { getThresholds, removeDismissal, saveDismissal, saveThresholds } from './needs.queries.ts';
import { getSelection } from './reading-needs.access.ts';

/** How long a pupil stays off the list. */
const DISMISSED_MS = 14 * DAY_MS;

export const readingNeedsHandlers = defineHandlers({
  listReadingNeeds: withPrepare({
    // Drawn outside any transaction: a list of a whole school takes a moment.
    prepare: async ({ me, query, now, services: { config, database } }) => {
      if (query.output === 'json') return undefined;
      const list = await readInSchool(database, me.schoolId, async (db) => {
        const school = await getSchoolWithStatistics(db, config);
        const selection = await getSelection(db, me, query.group_id);
        const { name } = query.group_id === undefined ? school : await getClass(db, me, query.group_id);
        const { pupils } = await listNeeds(db, selection, school.time_zone, now);
        // The head names the class already.
        const rows = query.group_id === undefined ? pupils : pupils.map((pupil) => ({ ...pupil, group: null }));
        return { name, pupils: rows, date: formatLongDay(dayIn(school.time_zone, now)) };
      });
      const bytes = await runInWorker('drawNeedsList', { product: config.productName, ...list }, FILE_LIMITS);
      return new FileReply('application/pdf', 'who-needs-me.pdf', Buffer.from(bytes));
    },
    handle: async ({ db, me, query, now, prepared, services: { config } }) => {
      if (prepared) return prepared;
      const { page, per_page } = query;
      const { time_zone } = await getSchoolWithStatistics(db, config);
      const selection = await getSelection(db, me, query.group_id);
      const shown = { offset: (page - 1) * per_page, length: per_page };
      const { pupils, total, dismissed, tooLittle, from, to } = await listNeeds(db, selection, time_zone, now, shown);
      return {
        readers: pupils,
        dismissed,
        meta: {
          total,
          total_filtered: total,
          page,
          per_page,
          too_little: tooLittle,
          from,
          to,
        },
      };
    },
  }),
  dismissReadingNeeds: {
    handle: async ({ db, me, params, body, now, services: { config } }) => {
      await getSchoolWithStatistics(db, config);
      const { id } = await getPupilWithDetails(db, me, params.readerId);
      await saveDismissal(db, id, {
        reason: body.reason,
        dismissed_by: me.userId,
        dismissed_at: now,
        until: new Date(now.getTime() + DISMISSED_MS),
      });
      await recordChange(db, me, now, { action: 'needs_dismissed', subjectKind: 'pupil', subjectId: id });
      return {};
    },
  },
  restoreReadingNeeds: {
    handle: async ({ db, me, params, now, services: { config } }) => {
      await getSchoolWithStatistics(db, config);
      const { id } = await getPupilWithDetails(db, me, params.readerId);
      if (await removeDismissal(db, id))
        await recordChange(db, me, now, { action: 'needs_restored', subjectKind: 'pupil', subjectId: id });
      return {};
    },
  },
  getNeedThresholds: {
    handle: async ({ db, services: { config } }) => {
      await getSchoolWithStatistics(db, config);
      return { thresholds: await getThresholds(db) };
    },
  },
  updateNeedThresholds: {
    handle: async ({ db, me, body, now, services: { config } }) => {
      await getSchoolWithStatistics(db, config);
      const from = await getThresholds(db);
      await saveThresholds(db, body);
      await recordChange(db, me, now, {
        action: 'need_thresholds_changed',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: { from, to: body },
      });
      return { thresholds: body };
    },
  },
});
