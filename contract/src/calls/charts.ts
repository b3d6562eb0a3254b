import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { idInPath } from '../fields.ts';
import { FIRST_DAY } from '../limits.ts';

export const CHART_NAMES = [
  'group_accuracy_by_reading_level_over_time',
  'group_reading_time_by_reading_level_over_time',
  'readers_accuracy_by_reading_level',
  'readers_read_books_by_reading_level',
  'readers_reading_time_by_reading_level',
] as const;
export type ChartName = (typeof CHART_NAMES)[number];

/** `level` is 1 to 6, or null for the series named Total. `data` runs along `labels`; null where there is no value. */
const series = z
  .strictObject({
    name: z.string(),
    level: z.number().int().nullable(),
    data: z.array(z.number().nullable()),
  })
  .meta({ id: 'ChartSeries' });

/**
 * A chart. Reading times in seconds, accuracies in per cent (unrounded), books as counts.
 * `labels`: the first day of each bucket (`2026-11-01`) or pupils' names.
 */
export const chart = z
  .strictObject({
    name: z.enum(CHART_NAMES),
    labels: z.array(z.string()),
    /** How wide a bucket over time is; null for charts of pupils. */
    bucket: z.enum(['day', 'week', 'month']).nullable(),
    /** Ids of the pupils that `labels` names; null for charts over time. */
    reader_ids: z.array(z.number().int()).nullable(),
    series: z.array(series),
    average: z.number().nullable(),
    total: z.number().nullable(),
  })
  .meta({ id: 'Chart' });
export type Chart = z.infer<typeof chart>;

/** A day, or a moment whose day in the school's time zone counts: from 1 January 2018 until today. */
export const chartDate = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], 'Give a date that exists, such as 2026-11-21.')
  .refine((date) => date >= FIRST_DAY, 'Statistics begin on 1 January 2018.')
  .refine((date) => !(Date.parse(date) >= Date.UTC(9999, 11, 31)), 'The date lies in the future.');

/** True when the end lies before the start. A day and a moment compare only in the school's time zone, on the server. */
export const isBackwards = (start: string, end: string) =>
  start.length > 10 === end.length > 10 && Date.parse(end) < Date.parse(start);

/** Whose figures. */
const selection = { group_id: idInPath.optional(), reader_id: idInPath.optional() };

const isOneSelection = ({ group_id, reader_id }: { group_id?: number | undefined; reader_id?: number | undefined }) =>
  group_id === undefined || reader_id === undefined;
const notBoth = { path: ['reader_id'], message: 'Ask for a class or for a pupil, not for both.' };

const isForwards = ({ start_date, end_date }: { start_date: string; end_date: string }) =>
  !isBackwards(start_date, end_date);
const notBackwards = { path: ['end_date'], message: 'The end date lies before the start date.' };

/**
 * How figures have changed against the period before: docs/reading-needs.md defines it. Times in seconds; averages are
 * a pupil. What was compared ends at `until`, yesterday at the latest.
 */
const comparison = z
  .strictObject({
    /** The period before. */
    start_date: z.iso.date(),
    end_date: z.iso.date(),
    until: z.iso.date(),
    /** Of each of the two periods. */
    school_days: z.number().int().positive(),
    /** Points; null on fewer than 100 words. */
    accuracy: z.number().nullable(),
    average_reading_time: z.number(),
    reading_time: z.number().int(),
    average_books_completed: z.number(),
    books_completed: z.number().int(),
  })
  .meta({ id: 'Comparison' });
export type Comparison = z.infer<typeof comparison>;

export const chartCalls = defineCalls({
  getChart: {
    method: 'GET',
    path: '/charts',
    tag: 'Dashboard',
    summary: 'One chart of the dashboard',
    description:
      "Figures of a class (`group_id`: the pupils who are in it now), of a pupil (`reader_id`), or of the whole school (a teacher: the own classes). Days are those of the school's time zone, both ends included. Buckets: days up to 31 days, weeks from Monday up to 26 weeks, then months. `output=csv` answers the same table as a download, `output=xlsx` with what the figures mean on a second sheet.",
    permission: 'view_school',
    example: {
      query: {
        name: 'group_reading_time_by_reading_level_over_time',
        group_id: EXAMPLE.class,
        start_date: '2026-09-01',
        end_date: '2026-10-31',
      },
    },
    query: z
      .object({
        name: z.enum(CHART_NAMES, `The charts are ${CHART_NAMES.join(', ')}.`),
        ...selection,
        start_date: chartDate,
        end_date: chartDate,
        output: z.enum(['json', 'csv', 'xlsx'], 'The output is json, csv or xlsx.').default('json'),
      })
      .refine(isOneSelection, notBoth)
      .refine(isForwards, notBackwards),
    reply: z.strictObject({ chart }),
    files: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    errors: ['class_not_found', 'pupil_not_found'],
  },

  compareFigures: {
    method: 'GET',
    path: '/charts/comparison',
    tag: 'Dashboard',
    summary: 'How the figures of the dashboard have changed against the period before',
    description:
      'Of a class, a pupil, or the whole school, as in the charts. The period before has as many school days; it is null where there is none, or where too little was read in it.',
    permission: 'view_school',
    example: { query: { group_id: EXAMPLE.class, start_date: '2026-09-01', end_date: '2026-10-31' } },
    query: z
      .object({ ...selection, start_date: chartDate, end_date: chartDate })
      .refine(isOneSelection, notBoth)
      .refine(isForwards, notBackwards),
    reply: z.strictObject({ comparison: comparison.nullable() }),
    errors: ['class_not_found', 'pupil_not_found', 'statistics_unavailable'],
  },
});
