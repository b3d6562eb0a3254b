import type { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { dayIn, formatLongDay, formatLongDays } from '../../clock.ts';
import { inSchool, type SchoolDb } from '../../database/school.ts';
import { defineHandlers, type RequestContext, withPrepare } from '../../http/pipeline.ts';
import { FileReply } from '../../http/replies.ts';
import { FILE_LIMITS, runInWorker } from '../../workers/worker-pool.ts';
import { resolveDateRange } from '../dashboard/dashboard.public.ts';
import { canReadDetails, getPupil, getPupilWithDetails } from '../pupils/pupils.public.ts';
import { getSchoolWithStatistics } from '../school/school.public.ts';
import { listPupilWords } from './pupil-progress.queries.ts';
import { describeLevel, makePupilReport } from './pupil-progress.service.ts';

type Asked = RequestContext<typeof pupilProgressCalls.getPupilProgress>;

/** A file on a child that leaves the portal: on record. */
async function gatherReport(db: SchoolDb, { me, params, query, now, services }: Asked) {
  const school = await getSchoolWithStatistics(db, services.config);
  const { id, name, group: schoolClass } = await getPupilWithDetails(db, me, params.readerId);
  const { from, to } = resolveDateRange(school.time_zone, query, now).shown;
  const today = dayIn(school.time_zone, now);
  await recordChange(db, me, now, { action: 'pupil_report_downloaded', subjectKind: 'pupil', subjectId: id });
  return {
    product: services.config.productName,
    name,
    className: schoolClass?.name ?? null,
    school: school.name,
    days: formatLongDays(from, to),
    date: formatLongDay(today),
    report: await makePupilReport(db, id, school.time_zone, { from, to, today }),
  };
}

export const pupilProgressHandlers = defineHandlers({
  getPupilProgress: withPrepare({
    // Drawn outside any transaction.
    prepare: async (asked) => {
      const { query, me, services } = asked;
      if (query.output === 'json') return undefined;
      const page = await inSchool(services.database, me.schoolId, (db) => gatherReport(db, asked));
      const bytes = await runInWorker('drawPupilReport', page, FILE_LIMITS);
      return new FileReply('application/pdf', `${page.name}.pdf`, Buffer.from(bytes));
    },
    handle: async ({ db, me, params, query, now, prepared, services: { config } }) => {
      if (prepared) return prepared;
      const { time_zone } = await getSchoolWithStatistics(db, config);
      const pupil = await getPupil(db, me, params.readerId);
      const { from, to } = resolveDateRange(time_zone, query, now).shown;
      return {
        level: await describeLevel(db, pupil.id, dayIn(time_zone, now)),
        words: canReadDetails(me, pupil) ? await listPupilWords(db, pupil.id, time_zone, from, to) : null,
      };
    },
  }),
});
