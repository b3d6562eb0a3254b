import type { QueryOf } from '#contract/call.ts';
import { CHART_NAMES, type chartCalls, type ChartName } from '#contract/calls/charts.ts';
import { roleScopes } from '#contract/permissions.ts';
import { tableFile, xlsxFile } from '../../../spreadsheets/sheet-file.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { defineHandlers, type RequestContext } from '../../../http/pipeline.ts';
import { FileReply } from '../../../file-reply.ts';
import { FILE_LIMITS, runInWorker } from '../../../workers/worker-pool.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { dayIn, formatLongDay, formatLongDays } from '../../../clock.ts';
import { inSchool, readInSchool, type SchoolDb } from '../../../database/school.ts';
import { getClass } from '../../school/classes/classes.public.ts';
import { getPupil } from '../../school/pupils/pupils.public.ts';
import { getCalendar, getSchoolWithStatistics } from '../../school/school/school.public.ts';
import { getChartScope, getPeriodFigures } from './charts.queries.ts';
import { chartSheet, chartSheets } from './chart-file.document.ts';
import { buildChart } from './charts.service.ts';
import { compareFigures, findPeriodBefore } from './comparison.service.ts';
import { resolveDateRange } from './date-range.service.ts';
import { defaultSelection, type Selection } from './selection.access.ts';
import { buildSummary } from './summary.service.ts';

export const dashboardHandlers = defineHandlers({
  getChart: {
    // Only a download is audited, so a chart on screen needs no write slot.
    answer: async (request) => {
      const { output } = request.query;
      return output === 'json' ? showChart(request) : downloadChart(request, output);
    },
  },
  downloadCharts: { writes: true, answer: downloadWorkbook },
  getReadingSummary: {
    answer: async (request) => {
      const { me, query, services } = request;
      return query.output === 'json'
        ? readInSchool(services.database, me.schoolId, async (db) => (await getSummary(db, request)).summary)
        : downloadSummary(request);
    },
  },
  compareFigures: {
    handle: async ({ db, me, query, now, shows, services: { config } }) => {
      // The figures of a class or school are about no one child.
      shows([]);
      const { time_zone } = await getSchoolWithStatistics(db, config);
      const { selection, pupils, shown } = await getScope(db, me, query, now);
      const periods = findPeriodBefore(await getCalendar(db), shown, dayIn(time_zone, now));
      if (!periods) return { comparison: null };
      const { has_begun, ...figures } = await getPeriodFigures(db, selection, periods);
      return { comparison: has_begun ? compareFigures(periods, pupils, figures.current, figures.earlier) : null };
    },
  },
});

type ChartRequest = RequestContext<typeof chartCalls.getChart>;

const showChart = ({ me, query, now, services }: ChartRequest) =>
  readInSchool(services.database, me.schoolId, async (db) => {
    const { selection, pupils, shown } = await getScope(db, me, query, now);
    return { chart: await buildChart(db, query.name, selection, shown, pupils) };
  });

/** The chart as a table in a file, with an audit entry. */
async function downloadChart({ me, query, now, shows, services }: ChartRequest, output: 'csv' | 'xlsx') {
  const { chart, requested, name } = await inSchool(services.database, me.schoolId, async (db) => {
    const { selection, pupils, shown, requested: days } = await getScope(db, me, query, now);
    await recordChange(db, me, now, {
      action: 'chart_downloaded',
      subjectKind: 'school',
      subjectId: db.schoolId,
      details: { chart: query.name },
    });
    return {
      requested: days,
      chart: await buildChart(db, query.name, selection, shown, pupils),
      name: await nameSelection(db, me, selection),
    };
  });
  shows(chart.reader_ids ?? []);
  const sheet = chartSheet(chart, `${name}, ${requested.from} to ${requested.to}`);
  // The CSV has only the table.
  const { notes: _, ...table } = sheet;
  return tableFile(`${query.name}_${requested.from}_${requested.to}`, output, output === 'csv' ? table : sheet);
}

/** The charts that a pupil's page shows. */
const PUPIL_CHARTS: readonly ChartName[] = [
  'group_accuracy_by_reading_level_over_time',
  'group_reading_time_by_reading_level_over_time',
];

/** All charts in one spreadsheet, with an audit entry. */
async function downloadWorkbook({ me, query, now, shows, services }: RequestContext<typeof chartCalls.downloadCharts>) {
  const { days, charts, name } = await inSchool(services.database, me.schoolId, async (db) => {
    const { selection, pupils, shown, requested } = await getScope(db, me, query, now);
    await recordChange(db, me, now, { action: 'charts_downloaded', subjectKind: 'school', subjectId: db.schoolId });
    const names = query.reader_id === undefined ? CHART_NAMES : PUPIL_CHARTS;
    const built = [];
    for (const chart of names) built.push(await buildChart(db, chart, selection, shown, pupils));
    return { days: requested, charts: built, name: await nameSelection(db, me, selection) };
  });
  shows(charts.flatMap(({ reader_ids: ids }) => ids ?? []));
  return xlsxFile(`charts_${days.from}_${days.to}`, chartSheets(charts, `${name}, ${days.from} to ${days.to}`));
}

type SummaryRequest = RequestContext<typeof chartCalls.getReadingSummary>;

async function getSummary(db: SchoolDb, { me, query, now, services }: SummaryRequest) {
  const school = await getSchoolWithStatistics(db, services.config);
  const { selection, shown } = await getScope(db, me, query, now);
  const summary = await buildSummary(db, selection, shown);
  return { school, summary: { name: await nameSelection(db, me, selection), ...summary } };
}

/** The summary as a page to print, with an audit entry. */
async function downloadSummary(request: SummaryRequest) {
  const { me, now, services } = request;
  const { school, summary } = await inSchool(services.database, me.schoolId, async (db) => {
    await recordChange(db, me, now, {
      action: 'reading_summary_downloaded',
      subjectKind: 'school',
      subjectId: db.schoolId,
    });
    return getSummary(db, request);
  });
  const page = {
    product: services.config.productName,
    school: school.name,
    days: formatLongDays(summary.start_date, summary.end_date),
    date: formatLongDay(dayIn(school.time_zone, now)),
    summary,
  };
  const bytes = await runInWorker('renderSummary', page, FILE_LIMITS);
  return new FileReply('application/pdf', `reading-summary_${summary.end_date}.pdf`, Buffer.from(bytes));
}

type ScopeQuery = QueryOf<typeof chartCalls.compareFigures>;

/** The requested class or pupil or the default, the number of pupils, and the days. Throws `class_not_found`, `pupil_not_found`, or a field error. */
async function getScope(db: SchoolDb, me: StaffSession, query: ScopeQuery, now: Date) {
  const { group_id: classId, reader_id: pupilId } = query;
  const selection = classId !== undefined ? { classId } : pupilId !== undefined ? { pupilId } : defaultSelection(me);
  // The query below finds out whether the class or pupil is of the school.
  if (roleScopes[me.role].pupils !== 'school') await assertVisible(db, me, selection);
  const { time_zone, pupils, has_class } = await getChartScope(db, selection);
  const days = resolveDateRange(time_zone, query, now);
  if (!has_class) throw new AppError('class_not_found');
  if (pupilId !== undefined && pupils === 0) throw new AppError('pupil_not_found');
  return { selection, pupils, ...days };
}

/** Throws `class_not_found` or `pupil_not_found` unless the caller can see the class or pupil. */
async function assertVisible(db: SchoolDb, me: StaffSession, selection: Selection): Promise<void> {
  if (selection === 'school') return;
  if ('classId' in selection) await getClass(db, me, selection.classId);
  if ('pupilId' in selection) await getPupil(db, me, selection.pupilId);
}

/** The name of the selection, for the heading of a file. */
async function nameSelection(db: SchoolDb, me: StaffSession, selection: Selection): Promise<string> {
  if (selection === 'school') return 'All classes';
  if ('pupilId' in selection) return (await getPupil(db, me, selection.pupilId)).name;
  if ('classId' in selection) return (await getClass(db, me, selection.classId)).name;
  return 'All my classes';
}
