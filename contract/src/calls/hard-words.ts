import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { chartDate, isBackwards } from './charts.ts';
import { id, ids } from '../fields.ts';

/** A word that pupils of a class asked for or did not read, and books of those readings. */
const hardWord = z
  .strictObject({
    word: z.string(),
    /** How many pupils it was hard for. */
    readers: z.number().int().positive(),
    /** In how many readings. */
    readings: z.number().int().positive(),
    /** At most five, those first in which it was hard most often. */
    books: z.array(z.strictObject({ id, title: z.string() })),
  })
  .meta({ id: 'HardWord' });
export type HardWord = z.infer<typeof hardWord>;

export const hardWordCalls = defineCalls({
  listHardWords: {
    method: 'GET',
    path: '/enterprises/{id}/groups/{groupId}/words',
    tag: 'Who needs me',
    summary: 'Words that three pupils of a class or more struggled with',
    description:
      'Asked for or not turned green in the days asked for, those first that were hard for most pupils; at most 60. `output=sheet` answers them as a sheet to print and `output=flashcards` as cards to cut out, both without names. A teacher: one of the own classes.',
    permission: 'view_school',
    example: { query: { start_date: '2026-09-01', end_date: '2026-10-31' } },
    params: ids('id', 'groupId'),
    query: z
      .object({
        start_date: chartDate,
        end_date: chartDate,
        output: z.enum(['json', 'sheet', 'flashcards'], 'The output is json, sheet or flashcards.').default('json'),
      })
      .refine(({ start_date, end_date }) => !isBackwards(start_date, end_date), {
        path: ['end_date'],
        message: 'The end date lies before the start date.',
      }),
    reply: z.strictObject({ words: z.array(hardWord) }),
    files: ['application/pdf'],
    errors: ['class_not_found', 'statistics_unavailable'],
  },
});
