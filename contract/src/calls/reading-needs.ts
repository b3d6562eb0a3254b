import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, idInPath, ids, optionalLine, pagedMeta, paging, readingLevel, timestamp } from '../fields.ts';
import { markChildData } from '../record-views.ts';

const percent = z.number().min(0).max(100);
const words = z.number().int().positive();

/**
 * Why a pupil needs help, with the figures behind it. docs/reading-needs.md has the rules. Accuracies are percentages,
 * unrounded.
 */
export const need = z
  .discriminatedUnion('kind', [
    /** No book is assigned to the pupil, through the class or directly. */
    z.strictObject({ kind: z.literal('nothing_assigned') }),
    /** No reading for `school_days` school days; `last_read_on` is null for a pupil who has never read. */
    z.strictObject({
      kind: z.literal('not_read'),
      school_days: z.number().int(),
      last_read_on: z.iso.date().nullable(),
    }),
    /** Accuracy over the words read recently at the current level. */
    z.strictObject({ kind: z.literal('low_accuracy'), accuracy: percent, words, reading_level: readingLevel }),
    /** Accuracy fell in each of the last three readings. */
    z.strictObject({ kind: z.literal('falling'), from: percent, to: percent, words, reading_level: readingLevel }),
    /**
     * The same words were hard in several of the last readings; `readings` is how many were considered. Each word was hard
     * in `readings` of the `met` readings that had it.
     */
    z.strictObject({
      kind: z.literal('same_words'),
      words: z.array(
        z.strictObject({ word: z.string(), readings: z.number().int().positive(), met: z.number().int().positive() }),
      ),
      readings: z.number().int().positive(),
    }),
    /** A book was started several times and never finished. */
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

const needKind = z.enum(['nothing_assigned', 'not_read', 'low_accuracy', 'falling', 'same_words', 'unfinished']);
const responseKind = z.enum(['done', 'snoozed'], 'Send done or snoozed.');

/** What a member of staff did about a need. `responded_by` may have left the school since. */
const needResponse = z
  .strictObject({
    id,
    need: needKind,
    response: responseKind,
    remark: z.string().nullable(),
    /** The sentence that explained the need at that time. */
    reason: z.string(),
    responded_by: id,
    responded_at: timestamp,
    /** The need is hidden until then; after `done`, only until the pupil's third reading session. */
    until: timestamp,
  })
  .meta({ id: 'NeedResponse' });
export type NeedResponse = z.infer<typeof needResponse>;

/** A need, the sentence that explains it, and the latest attempt to deal with it in the last six weeks. */
const needWithReason = z
  .strictObject({ reason: z.string(), evidence: need, tried: needResponse.nullable() })
  .meta({ id: 'NeedWithReason' });
export type NeedWithReason = z.infer<typeof needWithReason>;

/** A need that is hidden for the time being, and by which response. */
const hiddenNeed = z
  .strictObject({ reason: z.string(), evidence: need, response: needResponse })
  .meta({ id: 'HiddenNeed' });

const className = z.strictObject({ id, name: z.string() }).nullable();
const listedPupil = { id, name: z.string(), group: className };

/** A pupil who needs help, the most serious need first. */
const pupilWithNeeds = markChildData(
  z.strictObject({ ...listedPupil, needs: z.array(needWithReason) }).meta({ id: 'PupilWithNeeds' }),
  { pupil: 'id', fields: ['needs'] },
);
export type PupilWithNeeds = z.infer<typeof pupilWithNeeds>;

const pupilWithHiddenNeeds = markChildData(
  z.strictObject({ ...listedPupil, hidden: z.array(hiddenNeed) }).meta({ id: 'PupilWithHiddenNeeds' }),
  { pupil: 'id', fields: ['hidden'] },
);
export type PupilWithHiddenNeeds = z.infer<typeof pupilWithHiddenNeeds>;

/** A pupil for whom a reason no longer holds after staff dealt with it. */
const improvedPupil = markChildData(
  z.strictObject({ ...listedPupil, improved: z.array(needResponse) }).meta({ id: 'ImprovedPupil' }),
  { pupil: 'id', fields: ['improved'] },
);
export type ImprovedPupil = z.infer<typeof improvedPupil>;

/** A response in a pupil's history, and whether the caller may undo or remove it. */
const pastResponse = markChildData(needResponse.extend({ can_remove: z.boolean() }).meta({ id: 'PastNeedResponse' }), {
  fields: ['reason', 'remark'],
});
export type PastNeedResponse = z.infer<typeof pastResponse>;

const weekFigures = { readers: z.number().int(), reading_time: z.number().int() };

/** The week in which pupils read. On the first two school days of a week it is the last school week. */
const readingWeek = z
  .strictObject({
    from: z.iso.date(),
    to: z.iso.date(),
    is_last_week: z.boolean(),
    pupils: z.number().int(),
    /** Pupils who read in this week, and their time in seconds. */
    ...weekFigures,
    /** The school week before; the same days of it if the week is not over. */
    before: z.strictObject(weekFigures),
    /** Pupils who have read since this Monday. */
    read_this_week: z.number().int(),
  })
  .meta({ id: 'ReadingWeek' });
export type ReadingWeek = z.infer<typeof readingWeek>;

const notRead = z
  .strictObject({
    since: z.iso.date(),
    total: z.number().int(),
    /** By name, at most 12. */
    readers: z.array(
      // Their names say that they have not read.
      markChildData(z.strictObject({ id, name: z.string(), group: className }), { pupil: 'id', fields: ['name'] }),
    ),
  })
  .meta({ id: 'NotRead' });
export type NotRead = z.infer<typeof notRead>;

const threshold = (what: string) =>
  z
    .number(`${what} is a whole number from 0 to 100.`)
    .int(`${what} is a whole number from 0 to 100.`)
    .min(0, `${what} is a whole number from 0 to 100.`)
    .max(100, `${what} is a whole number from 0 to 100.`);

/** When a pupil appears on the list; each school sets its own. 0 switches a reason off. */
export const needThresholds = z
  .strictObject({
    /** School days in a row without reading. */
    days_without_reading: threshold('The number of school days'),
    /** Accuracy at the pupil's current level, in per cent, below which the pupil is listed. */
    accuracy_below: threshold('The accuracy'),
    /** Percentage points by which accuracy fell over three readings. */
    falling_by: threshold('The number of points'),
    /** In how many of the last ten readings the same word was hard. */
    same_word_in: threshold('The number of readings'),
    /** How often a book was started without being finished. */
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

export const respondBody = z.object({
  need: needKind,
  response: responseKind,
  /** What was done. */
  remark: optionalLine('remark', 200),
});

const PUPIL_ERRORS = ['pupil_not_found', 'pupil_not_managed', 'statistics_unavailable'] as const;

export const readingNeedsCalls = defineCalls({
  listReadingNeeds: {
    method: 'GET',
    path: '/enterprises/{id}/needs',
    tag: 'Who needs me',
    summary: 'Pupils who need help, and why',
    description:
      'The pupils of a class (`group_id`; teachers can ask only for their own classes) or of the whole school (for a teacher: all their classes), in order of need. `hidden` lists the reasons that staff marked as done or snoozed, and `improved` the ones that no longer hold since; both are the same on every page. `meta.too_little` counts the pupils who have read too few words recently for a reliable picture. `output=pdf` returns all pages as a printable list.',
    permission: 'view_details',
    needsProof: 'file',
    example: { query: { group_id: EXAMPLE.class } },
    views: { what: 'page', screen: 'needs' },
    params: ids('id'),
    query: z.object({
      ...paging,
      group_id: idInPath.optional(),
      output: z.enum(['json', 'pdf'], 'The output is json or pdf.').default('json'),
    }),
    reply: z.strictObject({
      readers: z.array(pupilWithNeeds),
      hidden: z.array(pupilWithHiddenNeeds),
      improved: z.array(improvedPupil),
      /** Pupils who have not read since the week began, without those already listed. */
      not_read: notRead,
      week: readingWeek,
      meta: pagedMeta.extend({
        too_little: z.number().int(),
        /** Only reading since this day counts. */
        from: z.iso.date(),
        to: z.iso.date(),
      }),
    }),
    files: ['application/pdf'],
    errors: ['class_not_found', 'statistics_unavailable'],
  },

  listPupilNeeds: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/needs',
    tag: 'Who needs me',
    summary: 'Why a pupil needs help, and what staff have done about it',
    description:
      'For admins and the teachers of the pupil’s current class. `history` lists the latest 100 responses, newest first.',
    permission: 'view_details',
    views: { what: 'page', screen: 'pupil' },
    params: ids('id', 'readerId'),
    reply: markChildData(
      z.strictObject({
        needs: z.array(needWithReason),
        hidden: z.array(hiddenNeed),
        improved: z.array(needResponse),
        history: z.array(pastResponse),
        meta: z.strictObject({
          /** The pupil's current level, if the pupil has read recently. */
          reading_level: readingLevel.nullable(),
          from: z.iso.date(),
          to: z.iso.date(),
        }),
      }),
      { fields: ['needs', 'hidden', 'improved', 'history', 'meta'] },
    ),
    errors: PUPIL_ERRORS,
  },

  respondToNeed: {
    method: 'POST',
    path: '/enterprises/{id}/readers/{readerId}/needs/responses',
    tag: 'Who needs me',
    summary: 'Mark a reason as done, or snooze it',
    description:
      '`done` hides the reason until the pupil has three more reading sessions or 14 days pass, `snoozed` for 14 days. Colleagues see it with the remark. Afterwards, a reason that still holds returns with the remark; one that no longer holds counts as improved.',
    permission: 'manage_notes',
    example: { body: { need: 'nothing_assigned', response: 'done', remark: 'new books' } },
    views: { what: 'page', screen: 'needs' },
    params: ids('id', 'readerId'),
    body: respondBody,
    reply: z.strictObject({ response: pastResponse }),
    errors: [...PUPIL_ERRORS, 'need_gone'],
  },

  undoNeedResponse: {
    method: 'DELETE',
    path: '/enterprises/{id}/readers/{readerId}/needs/responses/{responseId}',
    tag: 'Who needs me',
    summary: 'Undo a response to a reason',
    description:
      'While the reason is hidden, any colleague with access can undo the response. Afterwards, only its author or an admin can remove it from the history.',
    permission: 'manage_notes',
    params: ids('id', 'readerId', 'responseId'),
    errors: PUPIL_ERRORS,
  },

  getNeedThresholds: {
    method: 'GET',
    path: '/enterprises/{id}/needs/thresholds',
    tag: 'Who needs me',
    summary: 'When a pupil appears on the list',
    permission: 'view_school',
    area: 'settings',
    params: ids('id'),
    reply: z.strictObject({ thresholds: needThresholds }),
    errors: ['statistics_unavailable'],
  },

  updateNeedThresholds: {
    method: 'POST',
    path: '/enterprises/{id}/needs/thresholds',
    tag: 'Who needs me',
    summary: 'Change when a pupil appears on the list',
    permission: 'manage_reasons',
    area: 'settings',
    example: { body: { ...DEFAULT_THRESHOLDS, days_without_reading: 5 } },
    params: ids('id'),
    body: needThresholds,
    reply: z.strictObject({ thresholds: needThresholds }),
    errors: ['statistics_unavailable'],
  },
});
