import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids, readingLevel } from '../fields.ts';
import { chartDate, isBackwards } from './charts.ts';

/** A word that a pupil asked for or did not read, and books of those readings. */
const pupilWord = z
  .strictObject({
    word: z.string(),
    /** In how many readings. */
    readings: z.number().int().positive(),
    /** At most five, those first in which it was hard last. */
    books: z.array(z.strictObject({ id, title: z.string() })),
  })
  .meta({ id: 'ReaderWord' });
export type PupilWord = z.infer<typeof pupilWord>;

/** The level that a pupil reads on, of whatever days: docs/reading-needs.md defines it. */
const presentLevel = z
  .strictObject({
    reading_level: readingLevel,
    since: z.iso.date(),
    /** School days since then, today not among them. */
    school_days: z.number().int(),
  })
  .meta({ id: 'PresentLevel' });
export type PresentLevel = z.infer<typeof presentLevel>;

export const pupilProgressCalls = defineCalls({
  getPupilProgress: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/progress',
    tag: 'Reading',
    summary: "A pupil's level, and the words that are hard for the pupil",
    description:
      '`level` is null for a pupil who has never read. `words` were asked for or not turned green in the days asked for, those first that were hard in most readings; at most 60. They are null unless the caller is an admin or a teacher of the pupil’s current class. `output=pdf` answers a page for a parents’ evening on what the pupil read in these days; it is for the same people, names no other child and holds no note.',
    permission: 'view_school',
    example: { query: { start_date: '2026-09-01', end_date: '2026-10-31' } },
    params: ids('id', 'readerId'),
    query: z
      .object({
        start_date: chartDate,
        end_date: chartDate,
        output: z.enum(['json', 'pdf'], 'The output is json or pdf.').default('json'),
      })
      .refine(({ start_date, end_date }) => !isBackwards(start_date, end_date), {
        path: ['end_date'],
        message: 'The end date lies before the start date.',
      }),
    reply: z.strictObject({ level: presentLevel.nullable(), words: z.array(pupilWord).nullable() }),
    files: ['application/pdf'],
    errors: ['pupil_not_found', 'pupil_not_managed', 'statistics_unavailable'],
  },
});
