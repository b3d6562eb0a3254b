import type { QueryOf } from '#contract/call.ts';
import type { chartCalls } from '#contract/calls/charts.ts';
import { roleAllows } from '#contract/permissions.ts';
import { tableFile } from '../../spreadsheets/sheet-file.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers, type StaffSession, withPrepare } from '../../http/pipeline.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { dayIn } from '../../clock.ts';
import { inSchool, readInSchool, type SchoolDb } from '../../database/school.ts';
import { getClass } from '../classes/classes.public.ts';
import { getPupil } from '../pupils/pupils.public.ts';
import { getCalendar, getSchoolWithStatistics } from '../school/school.public.ts';
import { getChartScope, getPeriodFigures, type Selection } from './charts.queries.ts';
import { chartSheet } from './chart-file.document.ts';
import { drawChart } from './charts.service.ts';
import { compareFigures, findPeriodBefore } from './comparison.service.ts';
import { resolveDateRange } from './date-range.service.ts';

export const dashboardHandlers = defineHandlers({
  getChart: withPrepare({
    // A file that leaves the portal is on record; drawn, the chart is not. Its own transaction: a chart only reads.
    prepare: async ({ me, query, now, services: { database } }) => {
      if (query.output === 'json') return undefined;
      const { chart, asked, whose } = await readInSchool(database, me.schoolId, async (db) => {
        const { selection, pupils, shown, ...days } = await getScope(db, me, query, now);
        return {
          ...days,
          chart: await drawChart(db, query.name, selection, shown, pupils),
          whose: await nameSelection(db, me, selection),
        };
      });
      await inSchool(database, me.schoolId, (db) =>
        recordChange(db, me, now, {
          action: 'chart_downloaded',
          subjectKind: 'school',
          subjectId: db.schoolId,
          details: { chart: query.name },
        }),
      );
      const sheet = chartSheet(chart, `${whose}, ${asked.from} to ${asked.to}`);
      // The CSV is the table alone.
      const { notes: _, ...table } = sheet;
      const name = `${query.name}_${asked.from}_${asked.to}`;
      return tableFile(name, query.output, query.output === 'csv' ? table : sheet);
    },
    handle: async ({ db, me, query, prepared, now }) => {
      if (prepared) return prepared;
      const { selection, pupils, shown } = await getScope(db, me, query, now);
      return { chart: await drawChart(db, query.name, selection, shown, pupils) };
    },
  }),
  compareFigures: {
    handle: async ({ db, me, query, now, services: { config } }) => {
      const { time_zone } = await getSchoolWithStatistics(db, config);
      const { selection, pupils, shown } = await getScope(db, me, query, now);
      const periods = findPeriodBefore(await getCalendar(db), shown, dayIn(time_zone, now));
      if (!periods) return { comparison: null };
      const { has_begun, ...figures } = await getPeriodFigures(db, selection, periods);
      return { comparison: has_begun ? compareFigures(periods, pupils, figures.present, figures.earlier) : null };
    },
  },
});

type Asked = QueryOf<typeof chartCalls.compareFigures>;

/** Whose figures are asked for, how many pupils they are, and of which days. Throws `class_not_found`, `pupil_not_found`, and a field error. */
async function getScope(db: SchoolDb, me: StaffSession, query: Asked, now: Date) {
  const selection = select(me, query.group_id, query.reader_id);
  const { time_zone, pupils, has_class } = await getChartScope(db, selection);
  const days = resolveDateRange(time_zone, query, now);
  if (!has_class) throw new AppError('class_not_found');
  if (query.reader_id !== undefined && pupils === 0) throw new AppError('pupil_not_found');
  return { selection, pupils, ...days };
}

/** Whose reading a chart counts, in words. */
async function nameSelection(db: SchoolDb, me: StaffSession, selection: Selection): Promise<string> {
  if (selection === 'school') return 'All classes';
  if ('pupilId' in selection) return (await getPupil(db, me, selection.pupilId)).name;
  if ('classId' in selection) return (await getClass(db, me, selection.classId)).name;
  return 'All my classes';
}

/** A class or a pupil, each of the own school; otherwise all of the school for an admin, the own classes for a teacher. */
function select(me: StaffSession, classId?: number, pupilId?: number): Selection {
  if (classId !== undefined) return { classId };
  if (pupilId !== undefined) return { pupilId };
  return roleAllows(me.role, 'edit_school') ? 'school' : { teacherId: me.userId };
}
