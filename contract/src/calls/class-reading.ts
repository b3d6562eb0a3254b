import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, idInPath, ids, readingLevel } from '../fields.ts';
import { FIRST_DAY } from '../limits.ts';
import { markChildData } from '../record-views.ts';

/** What a pupil of a class read in the last six weeks. Times are in seconds, accuracies in per cent, unrounded. */
const pupilReading = markChildData(
  z
    .strictObject({
      id,
      name: z.string(),
      last_read_on: z.iso.date().nullable(),
      reading_time_this_week: z.number().int(),
      /** Of the last six weeks: 42 days, including today. Null when no word was attempted. */
      accuracy: z.number().nullable(),
      /** Words attempted: with few words, accuracy means little. */
      words: z.number().int(),
      /** The level on the latest day with reading; null without reading. */
      reading_level: readingLevel.nullable(),
      /** Reading time in each week, the current one last. */
      weeks: z.array(z.number().int()),
    })
    .meta({ id: 'PupilReading' }),
  {
    pupil: 'id',
    fields: ['last_read_on', 'reading_time_this_week', 'accuracy', 'reading_level', 'weeks'],
  },
);
export type PupilReading = z.infer<typeof pupilReading>;

const classReading = z
  .strictObject({
    /** The Mondays on which the weeks began. */
    weeks: z.array(z.iso.date()),
    readers: z.array(pupilReading),
    read_this_week: z.number().int(),
    reading_time_this_week: z.number().int(),
    /** Of all words of the last six weeks. */
    accuracy: z.number().nullable(),
    words: z.number().int(),
    /** Reading time of the last six weeks in sessions that began on a school day in the school's hours. */
    in_school_hours: z.number().int(),
    /** Reading time of the last six weeks in all other sessions. */
    outside_school_hours: z.number().int(),
  })
  .meta({ id: 'ClassReading' });
export type ClassReading = z.infer<typeof classReading>;

/** A pupil, or all pupils of a class, in one week. Times are in seconds. */
const weekReader = markChildData(
  z
    .strictObject({
      /** Of the pupil or the class; null for the pupils without a class. */
      id: id.nullable(),
      name: z.string(),
      /** 1 for a pupil. */
      pupils: z.number().int().positive(),
      /** How many of them read in the week. */
      readers: z.number().int(),
      /** Of all of them together. */
      reading_time: z.number().int(),
      /** The pupil's level, or the median of the class; null without reading in six weeks. */
      reading_level: readingLevel.nullable(),
    })
    .meta({ id: 'WeekReader' }),
  // Only the handler knows whether it is a pupil or a class.
  { fields: ['reading_time', 'reading_level'] },
);
export type WeekReader = z.infer<typeof weekReader>;

const readingLine = z
  .strictObject({
    /** A Monday. */
    from: z.iso.date(),
    /** The Sunday, or today. */
    to: z.iso.date(),
    is_current_week: z.boolean(),
    /** Whether each reader is a pupil or a whole class. */
    of: z.enum(['pupils', 'classes']),
    /** In order of name. */
    readers: z.array(weekReader),
    /** The median reading time of all pupils, including those who did not read; null without pupils. */
    median_reading_time: z.number().nullable(),
    /** Whether more was read than in any earlier week of the school year, of which at least three had reading. */
    is_best_week: z.boolean(),
    /** Pupils of a class who completed the first book of their lives in the week, by name; empty for several classes. */
    first_books: z.array(markChildData(z.strictObject({ id, name: z.string() }), { pupil: 'id', fields: ['name'] })),
  })
  .meta({ id: 'ReadingLine' });
export type ReadingLine = z.infer<typeof readingLine>;

const weekDay = z.iso
  .date('Enter a real date, such as 2026-11-21.')
  .refine((day) => day >= FIRST_DAY, 'Statistics begin on 1 January 2018.');

export const classReadingCalls = defineCalls({
  getClassReading: {
    method: 'GET',
    path: '/enterprises/{id}/groups/{groupId}/reading',
    tag: 'Who needs me',
    summary: 'How the pupils of a class read this week and in the last six weeks',
    description: 'Weeks begin on Mondays, in the school’s time zone.',
    permission: 'view_pupils',
    views: { what: 'page', screen: 'class_reading' },
    program: { scope: 'read_reading' },
    params: ids('id', 'groupId'),
    reply: z.strictObject({ reading: classReading }),
    errors: ['class_not_found', 'statistics_unavailable'],
  },

  getReadingLine: {
    method: 'GET',
    path: '/enterprises/{id}/reading-line',
    tag: 'Dashboard',
    summary: 'How long each pupil, or each class, read in one week',
    description:
      'For a class (`group_id`: its current pupils) or the whole school (for a teacher: all their classes), in which each class is one entry unless the teacher has only one. `week` is any day of the week, which begins on a Monday in the school’s time zone. Without it the week is the current one, on its first two school days the last school week.',
    permission: 'view_pupils',
    example: { query: { group_id: EXAMPLE.class } },
    views: { what: 'page', screen: 'dashboard' },
    params: ids('id'),
    query: z.object({ group_id: idInPath.optional(), week: weekDay.optional() }),
    reply: z.strictObject({ line: readingLine }),
    errors: ['class_not_found', 'statistics_unavailable'],
  },
});
