import type { hardWordCalls } from '#contract/calls/hard-words.ts';
import type { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { dayIn, formatLongDay, formatLongDays } from '../../../clock.ts';
import { inSchool, type SchoolDb } from '../../../database/school.ts';
import { defineHandlers, type RequestContext, withPrepare } from '../../../http/pipeline.ts';
import { FileReply } from '../../../file-reply.ts';
import { FILE_LIMITS, runInWorker } from '../../../workers/worker-pool.ts';
import { listLevelTotals, measureAccuracy, resolveDateRange } from '../dashboard/dashboard.public.ts';
import { listPupilWords, selectWords } from '../hard-words/hard-words.public.ts';
import { sumReadingHours } from '../reading-hours/reading-hours.public.ts';
import {
  canReadDetails,
  getPupil,
  getPupilsWithDetails,
  getPupilWithDetails,
} from '../../school/pupils/pupils.public.ts';
import { getSchoolWithStatistics } from '../../school/school/school.public.ts';
import { listAccuracySessions } from './pupil-progress.queries.ts';
import { describeLevel, buildPupilReport } from './pupil-progress.service.ts';

const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name, 'en-GB');

type Request = RequestContext<typeof pupilProgressCalls.getPupilProgress>;

/** What all pages of a file have in common, and a page for each pupil. Times are those of the school. */
async function gatherReports(
  db: SchoolDb,
  { query, now, services }: Pick<Request | ReportsRequest, 'query' | 'now' | 'services'>,
  pupils: readonly Pick<Pupil, 'id' | 'name' | 'group'>[],
) {
  const school = await getSchoolWithStatistics(db, services.config);
  const { from, to } = resolveDateRange(school.time_zone, query, now).shown;
  const today = dayIn(school.time_zone, now);
  const pupilIds = pupils.map(({ id }) => id);
  const words = await listPupilWords(db, pupilIds, { timeZone: school.time_zone, from, to });
  const pages = [];
  for (const { id, name, group: schoolClass } of pupils)
    pages.push({
      name,
      className: schoolClass?.name ?? null,
      report: await buildPupilReport(db, id, words.get(id) ?? [], { from, to, today }),
    });
  return {
    product: services.config.productName,
    school: school.name,
    days: formatLongDays(from, to),
    date: formatLongDay(today),
    pages,
  };
}

/** A pupil's page. The download is audited. */
async function gatherReport(db: SchoolDb, request: Request) {
  const { me, params, now } = request;
  const pupil = await getPupilWithDetails(db, me, params.readerId);
  const { id: subjectId } = pupil;
  await recordChange(db, me, now, { action: 'pupil_report_downloaded', subjectKind: 'pupil', subjectId });
  return { name: pupil.name, input: await gatherReports(db, request, [pupil]) };
}

type ReportsRequest = RequestContext<typeof pupilProgressCalls.downloadPupilReports>;

/** The pages of several pupils. The download is audited. */
async function downloadReports(request: ReportsRequest) {
  const { me, query, now, services } = request;
  const input = await inSchool(services.database, me.schoolId, async (db) => {
    const pupils = await getPupilsWithDetails(db, me, query.reader_ids);
    await recordChange(db, me, now, {
      action: 'pupil_reports_downloaded',
      subjectKind: 'school',
      subjectId: db.schoolId,
      details: { pupils: pupils.map(({ id }) => id) },
    });
    return gatherReports(db, request, pupils.toSorted(byName));
  });
  const bytes = await runInWorker('renderPupilReports', input, FILE_LIMITS);
  return new FileReply('application/pdf', 'parents-evening.pdf', Buffer.from(bytes));
}

type WordsRequest = RequestContext<typeof hardWordCalls.listPupilWords>;

/** The words of several pupils by name, and the days. */
async function getPupilWords(db: SchoolDb, { me, query, now, services }: WordsRequest) {
  const { time_zone } = await getSchoolWithStatistics(db, services.config);
  const pupils = await getPupilsWithDetails(db, me, query.reader_ids);
  const { from, to } = resolveDateRange(time_zone, query, now).shown;
  const pupilIds = pupils.map(({ id }) => id);
  const words = await listPupilWords(db, pupilIds, { timeZone: time_zone, from, to });
  const lists = pupils.map(({ id, name }) => ({ id, name, words: words.get(id) ?? [] }));
  return { from, to, lists: lists.sort(byName) };
}

export const pupilProgressHandlers = defineHandlers({
  downloadPupilReports: { writes: true, answer: downloadReports },
  getPupilProgress: withPrepare({
    // Rendered outside any transaction.
    prepare: async (request) => {
      const { query, write } = request;
      if (query.output === 'json') return undefined;
      const { name, input } = await write((db) => gatherReport(db, request));
      const bytes = await runInWorker('renderPupilReports', input, FILE_LIMITS);
      return new FileReply('application/pdf', `${name}.pdf`, Buffer.from(bytes));
    },
    handle: async ({ db, me, params, query, now, prepared, services: { config } }) => {
      if (prepared) return prepared;
      const school = await getSchoolWithStatistics(db, config);
      const { time_zone } = school;
      const pupil = await getPupil(db, me, params.readerId);
      const { from, to } = resolveDateRange(time_zone, query, now).shown;
      const words = canReadDetails(me, pupil)
        ? await listPupilWords(db, [pupil.id], { timeZone: time_zone, from, to })
        : undefined;
      return {
        level: await describeLevel(db, pupil.id, dayIn(time_zone, now)),
        words: words?.get(pupil.id) ?? null,
        hours: await sumReadingHours(db, { pupilId: pupil.id }, school, { from, to }),
      };
    },
  }),
  getPupilAccuracy: {
    handle: async ({ db, me, params, query, now, services: { config } }) => {
      const { time_zone } = await getSchoolWithStatistics(db, config);
      const { id } = await getPupil(db, me, params.readerId);
      const days = resolveDateRange(time_zone, query, now).shown;
      const [totals, sessions] = await Promise.all([
        listLevelTotals(db, { pupilId: id }, days),
        listAccuracySessions(db, id, time_zone, days, query.level),
      ]);
      return {
        ...measureAccuracy(totals, query.level),
        sessions: sessions.map(({ started_at, ...session }) => ({ ...session, date: started_at.toISOString() })),
      };
    },
  },
  listPupilWords: withPrepare({
    // Rendered outside any transaction.
    prepare: async (request) => {
      const { query, me, now, services, write } = request;
      if (query.output === 'json') return undefined;
      const { from, to, lists } = await write(async (db) => {
        const found = await getPupilWords(db, request);
        await recordChange(db, me, now, {
          action: 'practice_words_downloaded',
          subjectKind: 'school',
          subjectId: db.schoolId,
          details: { pupils: found.lists.map(({ id }) => id) },
        });
        return found;
      });
      const bytes = await runInWorker(
        'renderWordSheet',
        {
          product: services.config.productName,
          days: formatLongDays(from, to),
          lists: lists.map(({ name, words }) => ({ name, words: selectWords(words, query.only) })),
          kind: query.output,
        },
        FILE_LIMITS,
      );
      return new FileReply('application/pdf', `words-${query.output}.pdf`, Buffer.from(bytes));
    },
    handle: async ({ db, prepared, ...request }) => prepared ?? { readers: (await getPupilWords(db, request)).lists },
  }),
});
