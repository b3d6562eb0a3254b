import { getChart } from '#contract/calls/charts.ts';
import { roleAllows } from '#contract/permissions.ts';
import type { SchoolDb } from '../../database/school.ts';
import { writeCsv } from '../../spreadsheets/csv.ts';
import { AppError } from '../../http/errors.ts';
import { route, type StaffSession } from '../../http/pipeline.ts';
import { FileReply } from '../../http/replies.ts';
import { hasClass } from '../classes/classes.public.ts';
import { getPupil } from '../pupils/pupils.public.ts';
import { getTimeZone } from '../school/school.public.ts';
import type { Selection } from './charts.queries.ts';
import { chartRows, drawChart } from './charts.service.ts';
import { resolveDateRange } from './date-range.service.ts';

export const dashboardRoutes = [
  route(getChart, {
    handle: async ({ db, me, query, now }) => {
      const { asked, shown } = resolveDateRange(await getTimeZone(db), query, now);
      const selection = await select(db, me, query.group_id, query.reader_id);
      const chart = await drawChart(db, query.name, selection, shown.from, shown.to);
      if (query.output === 'json') return { chart };
      const filename = `${query.name}_${asked.from}_${asked.to}.csv`;
      return new FileReply('text/csv; charset=utf-8', filename, writeCsv(chartRows(chart)));
    },
  }),
];

async function select(db: SchoolDb, me: StaffSession, classId?: number, pupilId?: number): Promise<Selection> {
  if (classId !== undefined) {
    if (!(await hasClass(db, classId))) throw new AppError('class_not_found');
    return { classId };
  }
  if (pupilId !== undefined) return { pupilId: (await getPupil(db, me, pupilId)).id };
  return roleAllows(me.role, 'edit_school') ? 'school' : { managerId: me.userId };
}
