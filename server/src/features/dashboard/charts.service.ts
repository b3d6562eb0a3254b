import type { Chart, ChartName } from '#contract/calls/charts.ts';
import type { SchoolDb } from '../../database/school.ts';
import { bucketsOf, bucketWidth } from './buckets.service.ts';
import {
  countSelectedPupils,
  listBucketTotals,
  listPupilTotals,
  listSelectedPupils,
  type Selection,
  type Totals,
} from './charts.queries.ts';

type Sum = Omit<Totals, 'reading_level'>;

/** What a chart shows of a sum. Without reading an accuracy is unknown, while a time and a count are 0. */
interface Measure {
  of: (sum: Sum) => number | null;
  empty: 0 | null;
}
const ACCURACY: Measure = {
  of: (sum) => (sum.words_attempted === 0 ? null : (sum.words_correct / sum.words_attempted) * 100),
  empty: null,
};
const READING_TIME: Measure = { of: (sum) => sum.reading_time, empty: 0 };
const BOOKS: Measure = { of: (sum) => sum.books_completed, empty: 0 };

const MEASURES: Record<ChartName, Measure> = {
  group_accuracy_by_reading_level_over_time: ACCURACY,
  group_reading_time_by_reading_level_over_time: READING_TIME,
  readers_accuracy_by_reading_level: ACCURACY,
  readers_read_books_by_reading_level: BOOKS,
  readers_reading_time_by_reading_level: READING_TIME,
};

/** Draws a chart from daily totals. Days are `YYYY-MM-DD`, both included. */
export async function drawChart(
  db: SchoolDb,
  name: ChartName,
  selection: Selection,
  from: string,
  to: string,
): Promise<Chart> {
  const measure = MEASURES[name];
  if (name.endsWith('_over_time')) {
    const bucket = bucketWidth(from, to);
    const labels = bucketsOf(bucket, from, to);
    const totals = await listBucketTotals(db, selection, labels, from, to);
    const places = labels.map((_, place) => place);
    return {
      name,
      labels,
      bucket,
      reader_ids: null,
      ...draw(measure, places, totals, ({ place }) => place, await countSelectedPupils(db, selection)),
    };
  }
  const pupils = await listSelectedPupils(db, selection);
  const ids = pupils.map(({ id }) => id);
  const totals = await listPupilTotals(db, selection, from, to);
  return {
    name,
    labels: pupils.map((pupil) => pupil.name),
    bucket: null,
    reader_ids: ids,
    ...draw(measure, ids, totals, ({ pupil_id }) => pupil_id, pupils.length),
  };
}

function draw<Key, Row extends Totals>(
  measure: Measure,
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  pupils: number,
): Pick<Chart, 'series' | 'average' | 'total'> {
  const levels = [...new Set(rows.map((row) => row.reading_level))].sort((a, b) => a - b);
  const places = new Map(keys.map((key, place) => [key, place]));
  const cells = new Map<number | null, (Sum | undefined)[]>(
    [...levels, null].map((level) => [level, Array.from({ length: keys.length })]),
  );
  const all = emptySum();
  for (const row of rows) {
    add(all, row);
    const place = places.get(keyOf(row));
    if (place === undefined) continue;
    for (const level of [row.reading_level, null]) {
      const line = cells.get(level);
      if (line) add((line[place] ??= emptySum()), row);
    }
  }
  const series = [...cells].map(([level, line]) => ({
    name: level === null ? 'Total' : `Level ${level}`,
    level,
    data: line.map((sum) => (sum ? measure.of(sum) : measure.empty)),
  }));
  const value = measure.of(all);
  return measure === ACCURACY
    ? { series, average: value, total: null }
    : { series, average: pupils === 0 || value === null ? null : value / pupils, total: value };
}

const emptySum = (): Sum => ({ reading_time: 0, words_attempted: 0, words_correct: 0, books_completed: 0 });

function add(sum: Sum, row: Sum): void {
  sum.reading_time += row.reading_time;
  sum.words_attempted += row.words_attempted;
  sum.words_correct += row.words_correct;
  sum.books_completed += row.books_completed;
}

/** The chart as rows of a table: first the headings, then a row a label. */
export const chartRows = (chart: Chart): (string | number | null)[][] => [
  [chart.bucket ? 'From' : 'Pupil', ...chart.series.map(({ name }) => name)],
  ...chart.labels.map((label, place) => [label, ...chart.series.map(({ data }) => data[place] ?? null)]),
];
