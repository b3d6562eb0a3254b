import type { Chart, ChartName } from '#contract/calls/charts.ts';
import { fitWidths } from '../../../spreadsheets/sheet-file.ts';
import type { SheetToWrite } from '../../../spreadsheets/xlsx.ts';

const ACCURACY =
  'Figures in per cent: words read correctly, out of words attempted. Self-corrections and repetitions do not count as errors.';
const TIME = 'Figures in seconds of active reading time: the clock stops after 60 seconds without activity.';
const BOOKS =
  'Figures are the number of different books read to the last page in these dates; a book completed twice counts once.';

const CURRENT_PUPILS = 'Counts the current pupils, each in their current class.';

/** A chart's title, and the definition of its figures. */
const DESCRIPTIONS: Record<ChartName, [title: string, definition: string]> = {
  group_accuracy_by_reading_level_over_time: ['Accuracy over time', ACCURACY],
  group_reading_time_by_reading_level_over_time: ['Reading time over time', TIME],
  readers_accuracy_by_reading_level: ['Accuracy by pupil', ACCURACY],
  readers_read_books_by_reading_level: ['Books read by pupil', BOOKS],
  readers_reading_time_by_reading_level: ['Reading time by pupil', TIME],
};

/** Charts as sheets of one workbook; the notes of the first explain all of them. */
export function chartSheets(charts: readonly Chart[], selection: string): SheetToWrite[] {
  const definitions = charts.map(({ name }) => `${DESCRIPTIONS[name][0]}: ${DESCRIPTIONS[name][1]}`);
  return charts.map((chart, index) => {
    const { notes: _, ...sheet } = chartSheet(chart, selection);
    return index > 0 ? sheet : { ...sheet, notes: [selection, ...definitions, CURRENT_PUPILS] };
  });
}

/**
 * A chart as a table: a row for each label, a column for each reading level.
 * @param selection whose reading it counts, and when
 */
export function chartSheet(chart: Chart, selection: string): SheetToWrite {
  const [title, definition] = DESCRIPTIONS[chart.name];
  const rows = chart.labels.map((label, index) => [label, ...chart.series.map(({ data }) => data[index] ?? null)]);
  return {
    name: title,
    headers: [chart.bucket ? 'From' : 'Pupil', ...chart.series.map(({ name }) => name)],
    rows,
    widths: fitWidths(rows, [chart.bucket ? 12 : 32, ...chart.series.map(() => 12)]),
    notes: [`${title}: ${selection}`, definition, CURRENT_PUPILS],
  };
}
