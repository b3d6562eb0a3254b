import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { idInPath } from '../fields.ts';
import { FIRST_DAY } from '../limits.ts';
import { markChildData } from '../record-views.ts';

export const CHART_NAMES = [
  'group_accuracy_by_reading_level_over_time',
  'group_reading_time_by_reading_level_over_time',
  'readers_accuracy_by_reading_level',
  'readers_read_books_by_reading_level',
  'readers_reading_time_by_reading_level',
] as const;
export type ChartName = (typeof CHART_NAMES)[number];

/** `level` is 1 to 6, or null for the series named Total. `data` has one value for each label; null if there is none. */
const series = z
  .strictObject({
    name: z.string(),
    level: z.number().int().nullable(),
    data: z.array(z.number().nullable()),
  })
  .meta({ id: 'ChartSeries' });

/**
 * A chart. Reading times are in seconds, accuracies in per cent (unrounded), books are counts.
 * `labels` are the first days of the buckets (`2026-11-01`) or pupils' names.
 */
export const chart = markChildData(
  z
    .strictObject({
      name: z.enum(CHART_NAMES),
      labels: z.array(z.string()),
      /** The length of a bucket in a chart over time; null in charts of pupils. */
      bucket: z.enum(['day', 'week', 'month']).nullable(),
      /** IDs of the pupils named in `labels`; null in charts over time. */
      reader_ids: z.array(z.number().int()).nullable(),
      series: z.array(series),
      average: z.number().nullable(),
      total: z.number().nullable(),
    })
    .meta({ id: 'Chart' }),
  { pupil: 'reader_ids', fields: ['series'] },
);
export type Chart = z.infer<typeof chart>;

/** A date, or a time that counts as its date in the school's time zone; from 1 January 2018 until today. */
export const chartDate = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], 'Enter a real date, such as 2026-11-21.')
  .refine((date) => date >= FIRST_DAY, 'Statistics begin on 1 January 2018.')
  .refine((date) => !(Date.parse(date) >= Date.UTC(9999, 11, 31)), 'The date must be today or in the past.');

/** True when the end is before the start. A date and a time can be compared only in the school's time zone, on the server. */
export const isBackwards = (start: string, end: string) =>
  start.length > 10 === end.length > 10 && Date.parse(end) < Date.parse(start);

/** Whose figures. */
const selection = { group_id: idInPath.optional(), reader_id: idInPath.optional() };

const isOneSelection = ({ group_id, reader_id }: { group_id?: number | undefined; reader_id?: number | undefined }) =>
  group_id === undefined || reader_id === undefined;
const notBoth = { path: ['reader_id'], message: 'Ask for a class or a pupil, not both.' };

const isForwards = ({ start_date, end_date }: { start_date: string; end_date: string }) =>
  !isBackwards(start_date, end_date);
const notBackwards = { path: ['end_date'], message: 'The end date must be on or after the start date.' };

/**
 * The change in each figure since the previous period, as docs/reading-needs.md defines it. Times are in seconds; averages
 * are per pupil. The compared days end on `until`, yesterday at the latest.
 */
const comparison = markChildData(
  z
    .strictObject({
      /** The previous period. */
      start_date: z.iso.date(),
      end_date: z.iso.date(),
      until: z.iso.date(),
      /** In each of the two periods. */
      school_days: z.number().int().positive(),
      /** Percentage points; null for fewer than 100 words. */
      accuracy: z.number().nullable(),
      average_reading_time: z.number(),
      reading_time: z.number().int(),
      average_books_completed: z.number(),
      books_completed: z.number().int(),
    })
    .meta({ id: 'Comparison' }),
  // Only the handler knows whether these are the figures of one pupil.
  { fields: ['accuracy', 'reading_time', 'books_completed'] },
);
export type Comparison = z.infer<typeof comparison>;

/** Of a group of pupils in some days. */
const summaryFigures = {
  pupils: z.number().int(),
  /** Pupils who read. */
  readers: z.number().int(),
  /** Seconds. */
  reading_time: z.number().int(),
  /** Per cent; null for fewer than 100 words. */
  accuracy: z.number().nullable(),
};

const readingSummary = z
  .strictObject({
    /** The class, or whose classes. */
    name: z.string(),
    start_date: z.iso.date(),
    end_date: z.iso.date(),
    school_days: z.number().int(),
    ...summaryFigures,
    /** The same pupils in the last term that ended before these days; null if none of them read in it. */
    last_term: z
      .strictObject({
        name: z.string(),
        start_date: z.iso.date(),
        end_date: z.iso.date(),
        school_days: z.number().int(),
        ...summaryFigures,
      })
      .nullable(),
    /** By the year in the names of the classes, the youngest first. */
    year_groups: z.array(
      z.strictObject({
        name: z.string(),
        ...summaryFigures,
        levels: z.array(z.strictObject({ reading_level: z.number().int(), accuracy: z.number().nullable() })),
      }),
    ),
  })
  .meta({ id: 'ReadingSummary' });
export type ReadingSummary = z.infer<typeof readingSummary>;

export const chartCalls = defineCalls({
  getChart: {
    method: 'GET',
    path: '/charts',
    tag: 'Dashboard',
    summary: 'One chart of the dashboard',
    description:
      "For a class (`group_id`: its current pupils), a pupil (`reader_id`), or the whole school (for a teacher: all their classes). Days are in the school's time zone, both ends included. Buckets are days for up to 31 days, weeks from Monday for up to 26 weeks, then months. `output=csv` returns the same table as a download; `output=xlsx` adds a second sheet that explains the figures.",
    permission: 'view_pupils',
    example: {
      query: {
        name: 'group_reading_time_by_reading_level_over_time',
        group_id: EXAMPLE.class,
        start_date: '2026-09-01',
        end_date: '2026-10-31',
      },
    },
    views: { what: 'page', screen: 'dashboard', screenAlone: 'pupil' },
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
    noProof: 'The specified call: one chart, whose figures are also its JSON reply.',
    files: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    errors: ['class_not_found', 'pupil_not_found'],
  },

  compareFigures: {
    method: 'GET',
    path: '/charts/comparison',
    tag: 'Dashboard',
    summary: "How the dashboard's figures have changed since the previous period",
    description:
      'For a class, a pupil, or the whole school, as in the charts. The previous period has the same number of school days. `comparison` is null without a previous period, or if too little was read in it.',
    permission: 'view_pupils',
    example: { query: { group_id: EXAMPLE.class, start_date: '2026-09-01', end_date: '2026-10-31' } },
    views: { what: 'page', screen: 'dashboard', screenAlone: 'pupil' },
    query: z
      .object({ ...selection, start_date: chartDate, end_date: chartDate })
      .refine(isOneSelection, notBoth)
      .refine(isForwards, notBackwards),
    reply: z.strictObject({ comparison: comparison.nullable() }),
    errors: ['class_not_found', 'pupil_not_found', 'statistics_unavailable'],
  },

  downloadCharts: {
    method: 'GET',
    path: '/charts/workbook',
    tag: 'Dashboard',
    summary: 'All charts as a spreadsheet with a sheet for each',
    description: 'For a class, the whole school, or a pupil, who has only the charts over time.',
    permission: 'view_pupils',
    ownerOnly: true,
    needsProof: true,
    example: { query: { group_id: EXAMPLE.class, start_date: '2026-09-01', end_date: '2026-10-31' } },
    views: { what: 'page', screen: 'dashboard', screenAlone: 'pupil' },
    query: z
      .object({ ...selection, start_date: chartDate, end_date: chartDate })
      .refine(isOneSelection, notBoth)
      .refine(isForwards, notBackwards),
    files: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    errors: ['class_not_found', 'pupil_not_found'],
  },

  getReadingSummary: {
    method: 'GET',
    path: '/charts/summary',
    tag: 'Dashboard',
    summary: 'How a class or the school reads, on one page',
    description:
      'How many pupils read, for how long and how accurately, by year group and reading level, and in the last term. `output=pdf` returns a page for governors, which names no pupils.',
    permission: 'view_pupils',
    example: { query: { start_date: '2026-09-01', end_date: '2026-10-31' } },
    query: z
      .object({
        group_id: idInPath.optional(),
        start_date: chartDate,
        end_date: chartDate,
        output: z.enum(['json', 'pdf'], 'The output is json or pdf.').default('json'),
      })
      .refine(isForwards, notBackwards),
    reply: readingSummary,
    noProof: 'It names no pupils.',
    noViews: 'It names no pupils.',
    files: ['application/pdf'],
    errors: ['class_not_found', 'statistics_unavailable'],
  },
});
