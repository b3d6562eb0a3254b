import { getChart } from '#contract/calls/charts.ts';
import { roleAllows } from '#contract/permissions.ts';
import type { SchoolDb } from '../../database/school.ts';
import { writeCsv } from '../../spreadsheets/csv.ts';
import { AppError, fieldError } from '../../http/errors.ts';
import { route, type StaffSession } from '../../http/pipeline.ts';
import { FileReply } from '../../http/replies.ts';
import { hasClass } from '../classes/classes.public.ts';
import { getPupil } from '../pupils/pupils.public.ts';
import { getTimeZone } from '../school/school.public.ts';
import type { Selection } from './charts.queries.ts';
import { chartRows, drawChart } from './charts.service.ts';

export const dashboardRoutes = [
  route(getChart, {
    handle: async ({ db, me, query, now }) => {
      const zone = await getTimeZone(db);
      const today = dayIn(zone, now);
      const from = dayIn(zone, query.start_date);
      const to = dayIn(zone, query.end_date);
      if (from > to) throw fieldError('end_date', 'The end date lies before the start date.');
      if (from > today) throw fieldError('start_date', 'The start date lies in the future.');
      // The end of a client's today may be tomorrow here; what lies beyond that is a mistake.
      if (to > dayIn(zone, new Date(now.getTime() + 86_400_000)))
        throw fieldError('end_date', 'The end date lies in the future.');
      const selection = await select(db, me, query.group_id, query.reader_id);
      const chart = await drawChart(db, query.name, selection, from, to < today ? to : today);
      if (query.output === 'json') return { chart };
      return new FileReply('text/csv; charset=utf-8', `${query.name}_${from}_${to}.csv`, writeCsv(chartRows(chart)));
    },
  }),
];

/** By time zone: making one takes as long as a statement. */
const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  calendars.set(timeZone, made);
  return made;
}

/** The day of a moment in a time zone; a calendar day stays as it is. */
const dayIn = (zone: string, moment: Date | string): string =>
  typeof moment === 'string' && moment.length === 10 ? moment : calendarOf(zone).format(new Date(moment));

async function select(db: SchoolDb, me: StaffSession, classId?: number, pupilId?: number): Promise<Selection> {
  if (classId !== undefined) {
    if (!(await hasClass(db, classId))) throw new AppError('class_not_found');
    return { classId };
  }
  if (pupilId !== undefined) return { pupilId: (await getPupil(db, me, pupilId)).id };
  return roleAllows(me.role, 'edit_school') ? 'school' : { managerId: me.userId };
}
