import type { hardWordCalls } from '#contract/calls/hard-words.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { formatLongDays } from '../../../clock.ts';
import { inSchool, type SchoolDb } from '../../../database/school.ts';
import { defineHandlers, type RequestContext, withPrepare } from '../../../http/pipeline.ts';
import { FileReply } from '../../../file-reply.ts';
import { FILE_LIMITS, runInWorker } from '../../../workers/worker-pool.ts';
import { getClassWithDetails } from '../../school/classes/classes.public.ts';
import { resolveDateRange } from '../dashboard/dashboard.public.ts';
import { getSchoolWithStatistics } from '../../school/school/school.public.ts';
import { listHardWords, selectWords } from './hard-words.service.ts';

type Request = RequestContext<typeof hardWordCalls.listHardWords>;

/** The words of a class that the caller teaches, with its name and the days. */
async function getClassWords(db: SchoolDb, { me, params, query, now, services }: Request) {
  const { time_zone } = await getSchoolWithStatistics(db, services.config);
  const { id, name } = await getClassWithDetails(db, me, params.groupId);
  const { from, to } = resolveDateRange(time_zone, query, now).shown;
  return { name, from, to, words: await listHardWords(db, id, { timeZone: time_zone, from, to }) };
}

export const hardWordHandlers = defineHandlers({
  listHardWords: withPrepare({
    // Rendered outside any transaction.
    prepare: async (request) => {
      const { params, query, me, now, services } = request;
      if (query.output === 'json') return undefined;
      const { name, from, to, words } = await inSchool(services.database, me.schoolId, async (db) => {
        const found = await getClassWords(db, request);
        const subjectId = params.groupId;
        await recordChange(db, me, now, { action: 'class_words_downloaded', subjectKind: 'class', subjectId });
        return found;
      });
      const bytes = await runInWorker(
        'renderWordSheet',
        {
          product: services.config.productName,
          lists: [{ name, words: selectWords(words, query.only) }],
          days: formatLongDays(from, to),
          kind: query.output,
        },
        FILE_LIMITS,
      );
      return new FileReply('application/pdf', `words-${query.output}.pdf`, Buffer.from(bytes));
    },
    handle: async ({ db, prepared, ...request }) => prepared ?? { words: (await getClassWords(db, request)).words },
  }),
});
