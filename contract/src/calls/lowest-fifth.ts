import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids, readingLevel, timestamp } from '../fields.ts';
import { markChildData } from '../record-views.ts';
import { YEAR_GROUPS } from '../year-group.ts';

const yearGroup = z.enum(YEAR_GROUPS, 'This is not a year group.');

/** How a pupil read in six weeks: at the level of the latest day with reading, and how accurately at that level. */
const standing = z
  .strictObject({
    reading_level: readingLevel,
    /** Per cent, unrounded; null on fewer than 100 words at this level. */
    accuracy: z.number().nullable(),
  })
  .meta({ id: 'ReadingStanding' });
export type ReadingStanding = z.infer<typeof standing>;

/** What staff did about a reason for needing help. `responded_by` may have left the school since. */
const helpGiven = z
  .strictObject({
    id,
    response: z.enum(['done', 'snoozed']),
    remark: z.string().nullable(),
    /** The sentence that explained the reason at that time. */
    reason: z.string(),
    responded_by: id,
    responded_at: timestamp,
  })
  .meta({ id: 'HelpGiven' });

const listedPupil = markChildData(
  z
    .strictObject({
      id,
      name: z.string(),
      group: z.strictObject({ id, name: z.string() }).nullable(),
      reading_level: readingLevel,
      accuracy: z.number(),
      /** Seconds in a week of five school days; null if the six weeks have no school day. */
      reading_time_a_week: z.number().nullable(),
      /** In the six weeks before; null without reading. */
      before: standing.nullable(),
      /** Whether the pupil was in the lowest fifth of the same pupils in the six weeks before. */
      was_listed: z.boolean(),
      /** What is marked as done, or still snoozed, in the last six weeks: the latest 20, newest first. */
      responses: z.array(helpGiven),
      /** Books assigned to the pupil directly. */
      books: z.number().int(),
    })
    .meta({ id: 'LowestFifthPupil' }),
  {
    pupil: 'id',
    fields: ['reading_level', 'accuracy', 'reading_time_a_week', 'before', 'was_listed', 'responses', 'books'],
  },
);
export type LowestFifthPupil = z.infer<typeof listedPupil>;

const lowestFifth = z
  .strictObject({
    /** Those that the current pupils are in, the youngest first. */
    year_groups: z.array(yearGroup),
    /** The one that is listed; null if no pupil has one. */
    year_group: yearGroup.nullable(),
    /** The last six weeks: 42 days, including today. */
    from: z.iso.date(),
    to: z.iso.date(),
    /** Current pupils of the year group. */
    pupils: z.number().int(),
    /** Those of them who read enough to be placed. */
    placed: z.number().int(),
    /** Those of them who read fewer than 100 words at their level. */
    too_little: z.number().int(),
    /** Current pupils of the school whose year group is not known. */
    without_year_group: z.number().int(),
    /** Lowest level first, then lowest accuracy. */
    readers: z.array(listedPupil),
  })
  .meta({ id: 'LowestFifth' });
export type LowestFifth = z.infer<typeof lowestFifth>;

export const lowestFifthCalls = defineCalls({
  listLowestFifth: {
    method: 'GET',
    path: '/enterprises/{id}/lowest-fifth',
    tag: 'Who needs me',
    summary: 'The fifth of a year group who read least well, what they get and what changed',
    description:
      'The current pupils of a year group by their current level and their accuracy at it in the last six weeks: the lowest fifth, rounded up, with everyone who reads as the last of them does. Without `year_group`, that of the youngest pupils. For admins and reading leads.',
    permission: 'manage_reasons',
    views: { what: 'page', screen: 'lowest_fifth' },
    params: ids('id'),
    query: z.object({ year_group: yearGroup.optional() }),
    reply: z.strictObject({ lowest_fifth: lowestFifth }),
    errors: ['statistics_unavailable'],
  },
});
