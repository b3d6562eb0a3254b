import { calculateAccuracy } from '#contract/accuracy.ts';
import type { Chart, ChartName } from '#contract/calls/charts.ts';
import type { Days } from '#contract/school-calendar.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { bucketsOf, bucketWidth } from './date-range.service.ts';
import {
  listBucketTotals,
  listPupilBookCounts,
  listPupilTotals,
  type PupilRow,
  type Totals,
} from './charts.queries.ts';
import type { Selection } from './selection.access.ts';

/** The sum of one cell of a chart: `amount` alone, or `amount` out of `outOf`. Whole numbers. */
interface Sum {
  amount: number;
  outOf: number;
}
interface Row extends Sum {
  key: number;
  level: number;
}

/** Turns a sum into a value. Without reading, accuracy is unknown, while times and counts are 0. */
interface Measure {
  value: (sum: Sum) => number | null;
  empty: 0 | null;
  /** A weighted measure has one value for all pupils, and no total. */
  isWeighted: boolean;
}
const ACCURACY_MEASURE: Measure = {
  value: ({ amount, outOf }) => calculateAccuracy(amount, outOf),
  empty: null,
  isWeighted: true,
};
const COUNT: Measure = { value: ({ amount }) => amount, empty: 0, isWeighted: false };

interface TotalsMeasure {
  measure: Measure;
  sum: (totals: Totals) => Sum;
}
const ACCURACY: TotalsMeasure = {
  measure: ACCURACY_MEASURE,
  sum: ({ words_correct, words_attempted }) => ({ amount: words_correct, outOf: words_attempted }),
};
const READING_TIME: TotalsMeasure = { measure: COUNT, sum: ({ reading_time }) => ({ amount: reading_time, outOf: 0 }) };

type ChartData = Omit<Chart, 'name'>;
type BuildChart = (db: SchoolDb, selection: Selection, from: string, to: string, pupils: number) => Promise<ChartData>;

const overTime =
  ({ measure, sum }: TotalsMeasure): BuildChart =>
  async (db, selection, from, to, pupils) => {
    const bucket = bucketWidth(from, to);
    const labels = bucketsOf(bucket, from, to);
    const totals = await listBucketTotals(db, selection, labels, from, to);
    const rows = totals.map((row) => ({ ...sum(row), key: row.bucket, level: row.reading_level }));
    return { labels, bucket, reader_ids: null, ...buildSeries(measure, [...labels.keys()], rows, pupils) };
  };

const byPupil =
  <Counts>(
    measure: Measure,
    listRows: (db: SchoolDb, selection: Selection, from: string, to: string) => Promise<PupilRow<Counts>[]>,
    sum: (counts: Counts) => Sum,
  ): BuildChart =>
  async (db, selection, from, to) => {
    const found = await listRows(db, selection, from, to);
    const pupils = new Map(found.map(({ id, name }) => [id, name]));
    const rows = found.flatMap((row) =>
      row.reading_level === null ? [] : [{ ...sum(row), key: row.id, level: row.reading_level }],
    );
    const ids = [...pupils.keys()];
    return {
      labels: [...pupils.values()],
      bucket: null,
      reader_ids: ids,
      ...buildSeries(measure, ids, rows, ids.length),
    };
  };

const totalsByPupil = ({ measure, sum }: TotalsMeasure): BuildChart => byPupil(measure, listPupilTotals, sum);

const booksByPupil = byPupil(COUNT, listPupilBookCounts, ({ books_completed }) => ({
  amount: books_completed,
  outOf: 0,
}));

const CHARTS: Record<ChartName, BuildChart> = {
  group_accuracy_by_reading_level_over_time: overTime(ACCURACY),
  group_reading_time_by_reading_level_over_time: overTime(READING_TIME),
  readers_accuracy_by_reading_level: totalsByPupil(ACCURACY),
  readers_read_books_by_reading_level: booksByPupil,
  readers_reading_time_by_reading_level: totalsByPupil(READING_TIME),
};

/**
 * Builds a chart from daily totals. Days are `YYYY-MM-DD`, both included.
 * @param pupils the number of pupils in the selection
 */
export const buildChart = async (
  db: SchoolDb,
  name: ChartName,
  selection: Selection,
  { from, to }: Days,
  pupils: number,
): Promise<Chart> => ({ name, ...(await CHARTS[name](db, selection, from, to, pupils)) });

/** @param keys the rows' keys in the order of the chart's labels */
function buildSeries(
  { value, empty, isWeighted }: Measure,
  keys: readonly number[],
  rows: readonly Row[],
  pupils: number,
): Pick<Chart, 'series' | 'average' | 'total'> {
  const levels = [...new Set(rows.map(({ level }) => level))].sort((a, b) => a - b);
  const indexOf = new Map(keys.map((key, index) => [key, index]));
  const cells = new Map<number | null, (Sum | undefined)[]>(
    [...levels, null].map((level) => [level, Array.from({ length: keys.length })]),
  );
  const all = emptySum();
  for (const row of rows) {
    add(all, row);
    const index = indexOf.get(row.key);
    if (index === undefined) continue;
    for (const level of [row.level, null]) {
      const line = cells.get(level);
      if (line) add((line[index] ??= emptySum()), row);
    }
  }
  const series = [...cells].map(([level, line]) => ({
    name: level === null ? 'Total' : `Level ${level}`,
    level,
    data: line.map((sum) => (sum ? value(sum) : empty)),
  }));
  const overall = value(all);
  return isWeighted
    ? { series, average: overall, total: null }
    : { series, average: pupils === 0 || overall === null ? null : overall / pupils, total: overall };
}

const emptySum = (): Sum => ({ amount: 0, outOf: 0 });

function add(sum: Sum, { amount, outOf }: Sum): void {
  sum.amount += amount;
  sum.outOf += outOf;
}
