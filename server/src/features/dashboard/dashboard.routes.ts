import { roleAllows } from '#contract/permissions.ts';
import { writeCsv } from '../../spreadsheets/csv.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers, type StaffSession, withPrepare } from '../../http/pipeline.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { dayIn } from '../../clock.ts';
import { inSchool, type SchoolDb } from '../../database/school.ts';
import { FileReply } from '../../http/replies.ts';
import { getCalendar, getSchoolWithStatistics } from '../school/school.public.ts';
import { getChartScope, getPeriodFigures, type Selection } from './charts.queries.ts';
import { chartRows, drawChart } from './charts.service.ts';
import { compareFigures, findPeriodBefore } from './comparison.service.ts';
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
      const { selection, pupils, asked, shown } = await getScope(db, me, query, now);
      const chart = await drawChart(db, query.name, selection, shown, pupils);
      if (query.output === 'json') return { chart };
      const filename = `${query.name}_${asked.from}_${asked.to}.csv`;
      return new FileReply('text/csv', filename, writeCsv(chartRows(chart)));
    },
  }),
  compareFigures: {
    reads: true,
    handle: async ({ db, me, query, now, services: { config } }) => {
      const { time_zone } = await getSchoolWithStatistics(db, config);
      const { selection, pupils, shown } = await getScope(db, me, query, now);
      const periods = findPeriodBefore(await getCalendar(db), shown, dayIn(time_zone, now));
      if (!periods) return { comparison: null };
      const { has_begun, ...figures } = await getPeriodFigures(db, selection, periods);
      return { comparison: has_begun ? compareFigures(periods, pupils, figures.now, figures.then) : null };
    },
  },
});

interface Asked {
  group_id?: number | undefined;
  reader_id?: number | undefined;
  start_date: string;
  end_date: string;
}

/** Whose figures are asked for, how many pupils they are, and of which days. Throws `class_not_found`, `pupil_not_found`, and a field error. */
async function getScope(db: SchoolDb, me: StaffSession, asked: Asked, now: Date) {
  const selection = select(me, asked.group_id, asked.reader_id);
  const { time_zone, pupils, has_class } = await getChartScope(db, selection);
  const days = resolveDateRange(time_zone, asked, now);
  if (!has_class) throw new AppError('class_not_found');
  if (asked.reader_id !== undefined && pupils === 0) throw new AppError('pupil_not_found');
  return { selection, pupils, ...days };
}

/** A class or a pupil, each of the own school; otherwise all of the school for an admin, the own classes for a teacher. */
function select(me: StaffSession, classId?: number, pupilId?: number): Selection {
  if (classId !== undefined) return { classId };
  if (pupilId !== undefined) return { pupilId };
  return roleAllows(me.role, 'edit_school') ? 'school' : { teacherId: me.userId };
}
