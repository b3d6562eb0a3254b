import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, idInPath, ids, pagedMeta, paging, readingLevel, requiredLine, timestamp } from '../fields.ts';

const percent = z.number().min(0).max(100);
const words = z.number().int().positive();

/**
 * Why a pupil needs somebody, with the figures behind it: docs/reading-needs.md has the rules. Accuracies in per cent
 * (unrounded).
 */
export const need = z
  .discriminatedUnion('kind', [
    /** No book is assigned to the pupil, through the class or directly. */
    z.strictObject({ kind: z.literal('nothing_assigned') }),
    /** No reading on so many school days; `last_read_on` is null for a pupil who has never read. */
    z.strictObject({
      kind: z.literal('not_read'),
      school_days: z.number().int(),
      last_read_on: z.iso.date().nullable(),
    }),
    /** Accuracy over the recent words of the present level. */
    z.strictObject({ kind: z.literal('low_accuracy'), accuracy: percent, words, reading_level: readingLevel }),
    /** Accuracy went down from each of the last three sittings to the next. */
    z.strictObject({ kind: z.literal('falling'), from: percent, to: percent, words, reading_level: readingLevel }),
    /** The same words were hard in several of the last `sittings`. */
    z.strictObject({
      kind: z.literal('same_words'),
      words: z.array(z.strictObject({ word: z.string(), sittings: z.number().int().positive() })),
      sittings: z.number().int().positive(),
    }),
    /** A book was begun so often and never finished. */
    z.strictObject({
      kind: z.literal('unfinished'),
      book_id: id,
      book_title: z.string(),
      times: z.number().int().positive(),
    }),
  ])
  .meta({ id: 'Need' });
export type Need = z.infer<typeof need>;
export type NeedKind = Need['kind'];

/** A need as it is told: one plain sentence, and what it rests on. */
const toldNeed = z.strictObject({ reason: z.string(), evidence: need }).meta({ id: 'ToldNeed' });

const className = z.strictObject({ id, name: z.string() }).nullable();

/** A pupil who needs somebody, the gravest need first. */
const pupilInNeed = z
  .strictObject({ id, name: z.string(), group: className, needs: z.array(toldNeed) })
  .meta({ id: 'ReaderInNeed' });
export type PupilInNeed = z.infer<typeof pupilInNeed>;

/** A pupil whom somebody took off the list for two weeks, and why. `dismissed_by` may have left since. */
const dismissedPupil = pupilInNeed
  .extend({
    reason: z.string(),
    dismissed_by: id,
    dismissed_at: timestamp,
    until: timestamp,
  })
  .meta({ id: 'DismissedReader' });
export type DismissedPupil = z.infer<typeof dismissedPupil>;

const threshold = (what: string) =>
  z
    .number(`${what} is a whole number from 0 to 100.`)
    .int(`${what} is a whole number from 0 to 100.`)
    .min(0, `${what} is a whole number from 0 to 100.`)
    .max(100, `${what} is a whole number from 0 to 100.`);

/** When a pupil is on the list, as the school wants it. 0 leaves a reason out altogether. */
export const needThresholds = z
  .strictObject({
    /** School days without reading. */
    days_without_reading: threshold('The number of school days'),
    /** Per cent: accuracy at the pupil's level lies under it. */
    accuracy_below: threshold('The accuracy'),
    /** Points by which accuracy fell over three sittings. */
    falling_by: threshold('The number of points'),
    /** Of the last ten sittings, those in which the same word was hard. */
    same_word_in: threshold('The number of sittings'),
    /** Times that a book was begun without being finished. */
    book_begun: threshold('The number of times'),
  })
  .meta({ id: 'NeedThresholds' });
export type NeedThresholds = z.infer<typeof needThresholds>;

export const DEFAULT_THRESHOLDS: NeedThresholds = {
  days_without_reading: 7,
  accuracy_below: 90,
  falling_by: 5,
  same_word_in: 5,
  book_begun: 3,
};

export const dismissBody = z.object({ reason: requiredLine('reason', 200) });

export const readingNeedsCalls = defineCalls({
  listReadingNeeds: {
    method: 'GET',
    path: '/enterprises/{id}/needs',
    tag: 'Who needs me',
    summary: 'Pupils who need somebody, and why',
    description:
      'Of a class (`group_id`; a teacher: one of the own), or of the whole school (a teacher: of the own classes), those first who need it most. `dismissed` are those whom a member of staff took off the list for two weeks, on every page. `meta.too_little` counts pupils who have read so few words of late that nothing is said about how they read. `output=pdf` answers all pages as a list to print.',
    permission: 'view_school',
    example: { query: { group_id: EXAMPLE.class } },
    params: ids('id'),
    query: z.object({
      ...paging,
      group_id: idInPath.optional(),
      output: z.enum(['json', 'pdf'], 'The output is json or pdf.').default('json'),
    }),
    reply: z.strictObject({
      readers: z.array(pupilInNeed),
      dismissed: z.array(dismissedPupil),
      meta: pagedMeta.extend({
        too_little: z.number().int(),
        /** From this day on is looked at how pupils read. */
        from: z.iso.date(),
        to: z.iso.date(),
      }),
    }),
    files: ['application/pdf'],
    errors: ['class_not_found', 'statistics_unavailable'],
  },

  dismissReadingNeeds: {
    method: 'POST',
    path: '/enterprises/{id}/readers/{readerId}/needs/dismissal',
    tag: 'Who needs me',
    summary: 'Take a pupil off the list for two weeks',
    description: 'Colleagues see the reason. Doing it again begins two new weeks.',
    permission: 'manage_pupils',
    example: { body: { reason: 'With the speech therapist this fortnight' } },
    params: ids('id', 'readerId'),
    body: dismissBody,
    errors: ['pupil_not_found', 'pupil_not_managed', 'statistics_unavailable'],
  },

  restoreReadingNeeds: {
    method: 'DELETE',
    path: '/enterprises/{id}/readers/{readerId}/needs/dismissal',
    tag: 'Who needs me',
    summary: 'Put a pupil back on the list',
    permission: 'manage_pupils',
    params: ids('id', 'readerId'),
    errors: ['pupil_not_found', 'pupil_not_managed', 'statistics_unavailable'],
  },

  getNeedThresholds: {
    method: 'GET',
    path: '/enterprises/{id}/needs/thresholds',
    tag: 'Who needs me',
    summary: 'When a pupil is on the list',
    permission: 'view_school',
    params: ids('id'),
    reply: z.strictObject({ thresholds: needThresholds }),
    errors: ['statistics_unavailable'],
  },

  updateNeedThresholds: {
    method: 'POST',
    path: '/enterprises/{id}/needs/thresholds',
    tag: 'Who needs me',
    summary: 'Change when a pupil is on the list',
    permission: 'edit_school',
    example: { body: { ...DEFAULT_THRESHOLDS, days_without_reading: 5 } },
    params: ids('id'),
    body: needThresholds,
    reply: z.strictObject({ thresholds: needThresholds }),
    errors: ['statistics_unavailable'],
  },
});
