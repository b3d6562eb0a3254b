import { roleAllows } from '#contract/permissions.ts';
import { writeCsv } from '../../spreadsheets/csv.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers, type StaffSession, withPrepare } from '../../http/pipeline.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { inSchool } from '../../database/school.ts';
import { FileReply } from '../../http/replies.ts';
import { getChartScope, type Selection } from './charts.queries.ts';
import { chartRows, drawChart } from './charts.service.ts';
import { resolveDateRange } from './date-range.service.ts';

export const dashboardHandlers = defineHandlers({
  getChart: withPrepare({
    reads: true,
    // A file that leaves the portal is on record; drawn, the chart is not. Its own transaction: a chart only reads.
    prepare: async ({ me, query, now, services: { database } }) => {
      if (query.output === 'csv')
        await inSchool(database, me.schoolId, (db) =>
          recordChange(db, me, now, {
            action: 'chart_downloaded',
            subjectKind: 'school',
            subjectId: db.schoolId,
            details: { chart: query.name },
          }),
        );
    },
    handle: async ({ db, me, query, now }) => {
      const selection = select(me, query.group_id, query.reader_id);
      const { time_zone, pupils, has_class } = await getChartScope(db, selection);
      const { asked, shown } = resolveDateRange(time_zone, query, now);
      if (!has_class) throw new AppError('class_not_found');
      if (query.reader_id !== undefined && pupils === 0) throw new AppError('pupil_not_found');
      const chart = await drawChart(db, query.name, selection, shown, pupils);
      if (query.output === 'json') return { chart };
      const filename = `${query.name}_${asked.from}_${asked.to}.csv`;
      return new FileReply('text/csv', filename, writeCsv(chartRows(chart)));
    },
  }),
});

/** A class or a pupil, each of the own school; otherwise all of the school for an admin, the own classes for a teacher. */
function select(me: StaffSession, classId?: number, pupilId?: number): Selection {
  if (classId !== undefined) return { classId };
  if (pupilId !== undefined) return { pupilId };
  return roleAllows(me.role, 'edit_school') ? 'school' : { teacherId: me.userId };
}
