import type { hardWordCalls } from '#contract/calls/hard-words.ts';
import { formatLongDays } from '../../clock.ts';
import { readInSchool, type SchoolDb } from '../../database/school.ts';
import { defineHandlers, type RequestContext, withPrepare } from '../../http/pipeline.ts';
import { FileReply } from '../../http/replies.ts';
import { FILE_LIMITS, runInWorker } from '../../workers/worker-pool.ts';
import { getTaughtClass } from '../classes/classes.public.ts';
import { resolveDateRange } from '../dashboard/dashboard.public.ts';
import { getSchoolWithStatistics } from '../school/school.public.ts';
import { listHardWords } from './hard-words.queries.ts';

type Asked = RequestContext<typeof hardWordCalls.listHardWords>;

/** The words of a class whose reading the person sees, with its name and the days. */
async function findWords(db: SchoolDb, { me, params, query, now, services }: Asked) {
  const { time_zone } = await getSchoolWithStatistics(db, services.config);
  const { id, name } = await getTaughtClass(db, me, params.groupId);
  const { from, to } = resolveDateRange(time_zone, query, now).shown;
  return { name, from, to, words: await listHardWords(db, id, time_zone, from, to) };
}

export const hardWordHandlers = defineHandlers({
  listHardWords: withPrepare({
    // Drawn outside any transaction.
    prepare: async (asked) => {
      const { query, me, services } = asked;
      if (query.output === 'json') return undefined;
      const { name, from, to, words } = await readInSchool(services.database, me.schoolId, (db) =>
        findWords(db, asked),
      );
      const bytes = await runInWorker(
        'drawWordSheet',
        {
          product: services.config.productName,
          name,
          days: formatLongDays(from, to),
          words: words.map(({ word }) => word),
          kind: query.output,
        },
        FILE_LIMITS,
      );
      return new FileReply('application/pdf', `words-${query.output}.pdf`, Buffer.from(bytes));
    },
    handle: async ({ db, prepared, ...asked }) => prepared ?? { words: (await findWords(db, asked)).words },
  }),
});
