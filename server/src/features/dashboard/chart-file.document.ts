import type { Chart, ChartName } from '#contract/calls/charts.ts';
import { fitWidths } from '../../spreadsheets/sheet-file.ts';
import type { SheetToWrite } from '../../spreadsheets/xlsx.ts';

const ACCURACY =
  'Figures in per cent: words read correctly out of the words attempted. Self-corrections and repetitions are no errors.';
const TIME = 'Figures in seconds: active reading time; the clock stops after 60 seconds without activity.';
const BOOKS =
  'Figures are numbers of books read to the last page in these dates; one that was completed twice counts once.';

/** What a chart is called, and what its figures mean. */
const WORDS: Record<ChartName, [title: string, definition: string]> = {
  group_accuracy_by_reading_level_over_time: ['Accuracy over time', ACCURACY],
  group_reading_time_by_reading_level_over_time: ['Reading time over time', TIME],
  readers_accuracy_by_reading_level: ['Accuracy by pupil', ACCURACY],
  readers_read_books_by_reading_level: ['Books read by pupil', BOOKS],
  readers_reading_time_by_reading_level: ['Reading time by pupil', TIME],
};

/**
 * A chart as a table: a row a label, a column a reading level.
 * @param selection whose reading it counts, and when
 */
export function chartSheet(chart: Chart, selection: string): SheetToWrite {
  const [title, definition] = WORDS[chart.name];
  const rows = chart.labels.map((label, index) => [label, ...chart.series.map(({ data }) => data[index] ?? null)]);
  return {
    name: title,
    headers: [chart.bucket ? 'From' : 'Pupil', ...chart.series.map(({ name }) => name)],
    rows,
    widths: fitWidths(rows, [chart.bucket ? 12 : 32, ...chart.series.map(() => 12)]),
    notes: [
      `${title}: ${selection}`,
      definition,
      'The pupils are those who are there now; a class’s are those who are in it now.',
    ],
  };
}
