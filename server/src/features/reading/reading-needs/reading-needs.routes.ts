import type { PastNeedResponse } from '#contract/calls/reading-needs.ts';
import { roleAllows } from '#contract/permissions.ts';
import { dayIn, formatLongDay } from '../../../clock.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { FileReply } from '../../../file-reply.ts';
import { FILE_LIMITS, runInWorker } from '../../../workers/worker-pool.ts';
import { getSelectionWithDetails } from '../dashboard/dashboard.public.ts';
import { getClass } from '../../school/classes/classes.public.ts';
import { getPupilWithDetails } from '../../school/pupils/pupils.public.ts';
import { getSchoolWithStatistics } from '../../school/school/school.public.ts';
import { deleteResponse, findResponse, insertResponse, listHistory, lockPupil } from './need-responses.queries.ts';
import { HIDDEN_MS, isHiding, type ResponseRow } from './need-responses.service.ts';
import { findPupilNeeds, listNeeds, toNeedResponse } from './needs-list.service.ts';
import { getThresholds, saveThresholds } from './needs.queries.ts';

/** Any colleague can undo a response that still hides its reason; later, only its author or an admin can remove it. */
const canRemove = (me: StaffSession, response: ResponseRow, now: Date): boolean =>
  isHiding(response, now) || response.responded_by === me.userId || roleAllows(me.role, 'edit_school');

const withRemoval = (me: StaffSession, response: ResponseRow, now: Date): PastNeedResponse => ({
  ...toNeedResponse(response),
  can_remove: canRemove(me, response, now),
});

export const readingNeedsHandlers = defineHandlers({
  listReadingNeeds: withPrepare({
    // Rendered outside any transaction, because the list of a whole school takes a while.
    prepare: async ({ me, query, now, shows, services: { config }, write }) => {
      if (query.output === 'json') return undefined;
      const list = await write(async (db) => {
        const school = await getSchoolWithStatistics(db, config);
        const selection = await getSelectionWithDetails(db, me, query.group_id);
        const { name } = query.group_id === undefined ? school : await getClass(db, me, query.group_id);
        const { pupils } = await listNeeds(db, selection, school.time_zone, now);
        await recordChange(db, me, now, {
          action: 'needs_list_downloaded',
          subjectKind: query.group_id === undefined ? 'school' : 'class',
          subjectId: query.group_id ?? db.schoolId,
        });
        shows(pupils.map(({ id }) => id));
        // The heading names the class.
        const rows = query.group_id === undefined ? pupils : pupils.map((pupil) => ({ ...pupil, group: null }));
        return { name, pupils: rows, date: formatLongDay(dayIn(school.time_zone, now)) };
      });
      const bytes = await runInWorker('renderNeedsList', { product: config.productName, ...list }, FILE_LIMITS);
      return new FileReply('application/pdf', 'who-needs-me.pdf', Buffer.from(bytes));
    },
    handle: async ({ db, me, query, now, prepared, services: { config } }) => {
      if (prepared) return prepared;
      const { page, per_page } = query;
      const { time_zone } = await getSchoolWithStatistics(db, config);
      const selection = await getSelectionWithDetails(db, me, query.group_id);
      const shown = { offset: (page - 1) * per_page, length: per_page };
      const { pupils, total, hidden, improved, tooLittle, notRead, week, from, to } = await listNeeds(
        db,
        selection,
        time_zone,
        now,
        shown,
      );
      return {
        readers: pupils,
        hidden,
        improved,
        not_read: notRead,
        week,
        meta: { total, total_filtered: total, page, per_page, too_little: tooLittle, from, to },
      };
    },
  }),
  listPupilNeeds: {
    handle: async ({ db, me, params, now, services: { config } }) => {
      const { time_zone } = await getSchoolWithStatistics(db, config);
      const { id } = await getPupilWithDetails(db, me, params.readerId);
      const found = await findPupilNeeds(db, id, time_zone, now);
      if (!found) throw new AppError('pupil_not_found');
      const { level, from, to, ...needs } = found;
      const history = (await listHistory(db, id)).map((row) => withRemoval(me, row, now));
      return { ...needs, history, meta: { reading_level: level, from, to } };
    },
  },
  respondToNeed: {
    handle: async ({ db, me, params, body, now, services: { config } }) => {
      const { time_zone } = await getSchoolWithStatistics(db, config);
      const { id } = await getPupilWithDetails(db, me, params.readerId);
      await lockPupil(db, id);
      const found = await findPupilNeeds(db, id, time_zone, now);
      if (found?.hidden.some(({ evidence }) => evidence.kind === body.need))
        throw new AppError('need_gone', { text: 'A colleague has just dealt with this reason. Load the list again.' });
      const need = found?.needs.find(({ evidence }) => evidence.kind === body.need);
      if (!need) throw new AppError('need_gone');
      const response = await insertResponse(db, {
        ...body,
        pupil_id: id,
        reason: need.reason,
        responded_by: me.userId,
        responded_at: now,
        until: new Date(now.getTime() + HIDDEN_MS),
      });
      // The audit log does not repeat the remark.
      await recordChange(db, me, now, {
        action: body.response === 'done' ? 'need_done' : 'need_snoozed',
        subjectKind: 'pupil',
        subjectId: id,
        details: { need: body.need },
      });
      return { response: withRemoval(me, response, now) };
    },
  },
  undoNeedResponse: {
    handle: async ({ db, me, params, now, services: { config } }) => {
      await getSchoolWithStatistics(db, config);
      const { id } = await getPupilWithDetails(db, me, params.readerId);
      const response = await findResponse(db, id, params.responseId);
      if (!response || !canRemove(me, response, now) || !(await deleteResponse(db, id, response.id)))
        throw new AppError('not_found');
      await recordChange(db, me, now, {
        action: 'need_response_undone',
        subjectKind: 'pupil',
        subjectId: id,
        details: { need: response.need },
      });
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
