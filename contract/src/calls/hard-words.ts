import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { chartDate, isBackwards } from './charts.ts';
import { EXAMPLE } from '../examples.ts';
import { id, ids, pupilIdsInQuery, text } from '../fields.ts';
import { pupilWord, wordFigures } from './pupil-progress.ts';
import { markChildData } from '../record-views.ts';
import type { WordPrint } from '../words.ts';

/** A word that pupils of a class asked for or did not read more often than other words, and the books it was in. */
const hardWord = z
  .strictObject({
    ...wordFigures,
    /** How many pupils it was hard for. */
    readers: z.number().int().positive(),
    /** At most five, those in which it was hard most often first. */
    books: z.array(z.strictObject({ id, title: z.string() })),
  })
  .meta({ id: 'HardWord' });
export type HardWord = z.infer<typeof hardWord>;

/** What each list of words takes: the days, and what is printed of them. */
const wordListQuery = {
  start_date: chartDate,
  end_date: chartDate,
  output: z
    .enum(
      ['json', ...(['sheet', 'flashcards', 'tick_list'] satisfies WordPrint[])],
      'The output is json, sheet, flashcards or tick_list.',
    )
    .default('json'),
  only: text('Send words separated by commas.', 'Choose fewer words.', 8000)
    .transform((list) => list.split(',').filter(Boolean))
    .optional(),
};
const inOrder = {
  path: ['end_date'],
  message: 'The end date must be on or after the start date.',
};

/** Pupils whose words one request lists or prints at most: a large class. */
export const MAX_WORD_PUPILS = 40;

export const hardWordCalls = defineCalls({
  listHardWords: {
    method: 'GET',
    path: '/enterprises/{id}/groups/{groupId}/words',
    tag: 'Who needs me',
    summary: 'Words that are hard for the pupils of a class',
    description:
      'Words that three or more pupils asked for or did not read in these days, in more of the readings that met them than other words; met at least eight times. The hardest first, at most 60: docs/reading-needs.md has the rule. The other outputs are PDFs: a sheet to read, cards to cut out, or a list to tick off, without pupils’ names, of the words in `only` or else of all. A teacher may list the words of their own classes.',
    permission: 'view_details',
    example: { query: { start_date: '2026-09-01', end_date: '2026-10-31' } },
    params: ids('id', 'groupId'),
    query: z.object(wordListQuery).refine(({ start_date, end_date }) => !isBackwards(start_date, end_date), inOrder),
    reply: z.strictObject({ words: z.array(hardWord) }),
    noProof: 'It names no pupils.',
    noViews: 'It names no pupils.',
    files: ['application/pdf'],
    errors: ['class_not_found', 'statistics_unavailable'],
  },

  listPupilWords: {
    method: 'GET',
    path: '/enterprises/{id}/words',
    tag: 'Who needs me',
    summary: 'Words to practise of one or several pupils',
    description:
      'Words that each pupil asked for or did not read in these days, in more of the readings that met them than other words, the hardest first; at most 60 each. The other outputs are PDFs as for a class: a sheet or a list to tick off for each pupil who has one of the words, with the pupil’s name, or cards with the words of all of them. For admins and the teachers of the pupils’ current classes. Printing is audited.',
    permission: 'view_details',
    example: { query: { reader_ids: EXAMPLE.pupil, start_date: '2026-09-01', end_date: '2026-10-31' } },
    views: { what: 'page', screen: 'words' },
    params: ids('id'),
    query: z
      .object({
        reader_ids: pupilIdsInQuery(MAX_WORD_PUPILS),
        ...wordListQuery,
      })
      .refine(({ start_date, end_date }) => !isBackwards(start_date, end_date), inOrder),
    reply: z.strictObject({
      readers: z.array(
        markChildData(z.strictObject({ id, name: z.string(), words: z.array(pupilWord) }), {
          pupil: 'id',
          fields: ['words'],
        }),
      ),
    }),
    noProof: 'Printed in a lesson: the words to practise, without figures.',
    files: ['application/pdf'],
    errors: ['pupil_not_found', 'pupil_not_managed', 'statistics_unavailable'],
  },
});
