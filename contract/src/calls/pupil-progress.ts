import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, ids, pupilIdsInQuery, readingLevel, text, timestamp } from '../fields.ts';
import { chartDate, isBackwards } from './charts.ts';
import { markChildData } from '../record-views.ts';

/** How often a word was hard. docs/reading-needs.md has the rule by which words are listed. */
export const wordFigures = {
  /** In its commonest spelling; capitalised only if the devices always sent it so. */
  word: z.string(),
  /** In how many sessions it was hard. */
  readings: z.number().int().positive(),
  /** In how many sessions it was met, hard or not. */
  met: z.number().int().positive(),
};

/** A word that a pupil asked for or did not read more often than other words, and the books it was in. */
export const pupilWord = z
  .strictObject({
    ...wordFigures,
    /** At most five, the most recent first. */
    books: z.array(z.strictObject({ id, title: z.string() })),
  })
  .meta({ id: 'PupilWord' });
export type PupilWord = z.infer<typeof pupilWord>;

/** The pupil's current reading level, whatever days are requested. docs/reading-needs.md defines it. */
const currentLevel = z
  .strictObject({
    reading_level: readingLevel,
    since: z.iso.date(),
    /** School days since then, excluding today. */
    school_days: z.number().int(),
  })
  .meta({ id: 'CurrentLevel' });
export type CurrentLevel = z.infer<typeof currentLevel>;

/** Reading time in seconds, by whether the session began on a school day in the school's hours. */
const readingHours = z.strictObject({ in_school: z.number().int(), outside: z.number().int() }).meta({
  id: 'ReadingHours',
});
export type ReadingHours = z.infer<typeof readingHours>;

const accuracySession = z
  .strictObject({
    id: z.uuid(),
    book_id: id,
    book_title: z.string(),
    date: timestamp,
    reading_level: readingLevel,
    words_attempted: z.number().int(),
    words_correct: z.number().int(),
  })
  .meta({ id: 'AccuracySession' });

/** A figure and what it is made of. */
const accuracyEvidence = z
  .strictObject({
    /** Per cent, unrounded; null when no word was attempted. */
    accuracy: z.number().nullable(),
    words_attempted: z.number().int(),
    words_correct: z.number().int(),
    /** The latest first, at most 500. */
    sessions: z.array(accuracySession),
  })
  .meta({ id: 'AccuracyEvidence' });

/** Pupils whose pages for a parents' evening fit in one file: more than any class has. */
export const MAX_REPORT_PUPILS = 40;

export const pupilProgressCalls = defineCalls({
  downloadPupilReports: {
    method: 'GET',
    path: '/enterprises/{id}/reports',
    tag: 'Reading',
    summary: 'Pages about several pupils for a parents’ evening',
    description:
      'A PDF with one page and one bookmark for each pupil, by name, about these days. For admins and the teachers of the pupils’ current classes. The download is audited.',
    permission: 'view_details',
    ownerOnly: true,
    needsProof: true,
    example: { query: { reader_ids: EXAMPLE.pupil, start_date: '2026-09-01', end_date: '2026-10-31' } },
    views: { what: 'page', screen: 'reports' },
    params: ids('id'),
    query: z
      .object({ reader_ids: pupilIdsInQuery(MAX_REPORT_PUPILS), start_date: chartDate, end_date: chartDate })
      .refine(({ start_date, end_date }) => !isBackwards(start_date, end_date), {
        path: ['end_date'],
        message: 'The end date must be on or after the start date.',
      }),
    files: ['application/pdf'],
    errors: ['pupil_not_found', 'pupil_not_managed', 'statistics_unavailable'],
  },

  getPupilAccuracy: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/accuracy',
    tag: 'Reading',
    summary: "A pupil's accuracy between two days, with its sessions",
    description: 'At all levels, or at `level` alone. Days are in the school’s time zone, both included.',
    permission: 'view_pupils',
    example: { query: { start_date: '2026-09-01', end_date: '2026-10-31', level: '1' } },
    views: { what: 'page', screen: 'pupil' },
    params: ids('id', 'readerId'),
    query: z
      .object({
        start_date: chartDate,
        end_date: chartDate,
        level: text('Send a level from 1 to 6.')
          .regex(/^[1-6]$/, 'Send a level from 1 to 6.')
          .transform(Number)
          .optional(),
      })
      .refine(({ start_date, end_date }) => !isBackwards(start_date, end_date), {
        path: ['end_date'],
        message: 'The end date must be on or after the start date.',
      }),
    reply: markChildData(accuracyEvidence, { fields: ['accuracy', 'sessions'] }),
    errors: ['pupil_not_found', 'statistics_unavailable'],
  },

  getPupilProgress: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/progress',
    tag: 'Reading',
    summary: "A pupil's level, hard words, and reading in and out of school hours",
    description:
      '`level` is null for a pupil who has never read. `words` lists up to 60 words that the pupil asked for or did not turn green in the given days, in more of the sessions that met them than other words, the hardest first. It is null unless the caller is an admin or a reading lead, or teaches the pupil’s current class. `hours` divides the reading time of these days into school hours and outside them. `output=pdf` returns a one-page report for a parents’ evening about these days, for the same callers; it names no other child and contains no notes.',
    permission: 'view_pupils',
    example: { query: { start_date: '2026-09-01', end_date: '2026-10-31' } },
    views: { what: 'page', screen: 'pupil' },
    params: ids('id', 'readerId'),
    query: z
      .object({
        start_date: chartDate,
        end_date: chartDate,
        output: z.enum(['json', 'pdf'], 'The output is json or pdf.').default('json'),
      })
      .refine(({ start_date, end_date }) => !isBackwards(start_date, end_date), {
        path: ['end_date'],
        message: 'The end date must be on or after the start date.',
      }),
    reply: markChildData(
      z.strictObject({ level: currentLevel.nullable(), words: z.array(pupilWord).nullable(), hours: readingHours }),
      { fields: ['level', 'words', 'hours'] },
    ),
    noProof: 'Printed in a conversation with parents: one page about their child.',
    files: ['application/pdf'],
    errors: ['pupil_not_found', 'pupil_not_managed', 'statistics_unavailable'],
  },
});
