import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids, readingLevel } from '../fields.ts';

/** What a pupil of a class read in the last six weeks. Times in seconds, accuracies in per cent (unrounded). */
const pupilReading = z
  .strictObject({
    id,
    name: z.string(),
    last_read_on: z.iso.date().nullable(),
    reading_time_this_week: z.number().int(),
    /** Null when no word was attempted. */
    accuracy: z.number().nullable(),
    /** Words attempted: on few of them an accuracy says little. */
    words: z.number().int(),
    /** The level of the latest day with reading; null when there was none. */
    reading_level: readingLevel.nullable(),
    /** Reading time of each week, the present one last. */
    weeks: z.array(z.number().int()),
  })
  .meta({ id: 'ReaderReading' });
export type PupilReading = z.infer<typeof pupilReading>;

const classReading = z
  .strictObject({
    /** The Mondays on which the weeks began. */
    weeks: z.array(z.iso.date()),
    readers: z.array(pupilReading),
    read_this_week: z.number().int(),
    reading_time_this_week: z.number().int(),
    /** Of all words of the six weeks. */
    accuracy: z.number().nullable(),
    words: z.number().int(),
  })
  .meta({ id: 'ClassReading' });
export type ClassReading = z.infer<typeof classReading>;

export const classReadingCalls = defineCalls({
  getClassReading: {
    method: 'GET',
    path: '/enterprises/{id}/groups/{groupId}/reading',
    tag: 'Who needs me',
    summary: 'How the pupils of a class read this week and in the last six',
    description: 'Weeks begin on Mondays, in the school’s time zone.',
    permission: 'view_school',
    params: ids('id', 'groupId'),
    reply: z.strictObject({ reading: classReading }),
    errors: ['class_not_found', 'statistics_unavailable'],
  },
});
