import { ACCURACY_BANDS } from '#contract/accuracy.ts';
import type { Comparison } from '#contract/calls/charts.ts';
import { count, formatAccuracy, formatDuration, formatNumber, formatShortMinutes } from '../../../../shared/format.ts';
import { accuracyAxis, type Axis, countAxis, timeAxis } from './axis.ts';
import type { ChartMarks } from './mark-kind.ts';
import type { Band, PupilOrder } from './pupil-rows.ts';

/** What a chart counts, and how its values are shown. */
export interface Measure {
  /** A value in full: `96%`, `3 hours 12 minutes`, `1 book`. */
  format: (value: number) => string;
  /** A value where there is little space: `3 h 12 min`, `12`. */
  formatShort: (value: number) => string;
  /** An average or total above the chart, short enough for one line. */
  formatFigure: (value: number) => string;
  /** A value in a table whose caption states `tableUnit`. */
  formatCell: (value: number) => string;
  tableUnit?: string;
  /** The size of a change, without its sign: `12 min`, `3 points`. */
  formatChange: (size: number) => string;
  /** The axis that shows these values. */
  axis: (values: readonly number[]) => Axis;
  marks: { overTime: ChartMarks; byPupil: ChartMarks };
  /** Whether 0 is a value like any other. Otherwise a pupil or bucket with 0 has nothing to show. */
  countsZero: boolean;
  /** The value of a pupil who has none. */
  emptyValue: string;
  /** Width of the column that shows `formatShort`. */
  valueWidth: string;
  /** The tooltip of a pupil who has no value. */
  emptyText: string;
  /** What a pupil with a value has done. */
  pastParticiple: string;
  initialOrder: PupilOrder;
  /** Ranges that pupils are grouped by when ordered by value. */
  bands?: readonly Band[];
  /** How the average and the total changed compared with the previous period. */
  averageChange?: (comparison: Comparison) => number | null;
  totalChange?: (comparison: Comparison) => number;
  /** What an average is for one of: `+12 min a pupil`. */
  averageUnit: string;
}

const roundToTenths = (value: number): number => Math.round(value * 10) / 10;

function formatShortTime(value: number): string {
  const seconds = Math.round(value);
  if (seconds < 120) return `${seconds} s`;
  return formatShortMinutes(Math.round(seconds / 60));
}

/** Whole minutes, `< 1` for a little. */
const formatMinutes = (seconds: number): string =>
  seconds > 0 && seconds < 30 ? '< 1' : formatNumber(Math.round(seconds / 60));

const formatBooks = (value: number): string =>
  value > 0 && value < 0.05 ? '< 0.1 books' : count(roundToTenths(value), 'book');

const formatBookNumber = (value: number): string => formatNumber(roundToTenths(value));

export const ACCURACY: Measure = {
  format: formatAccuracy,
  formatShort: formatAccuracy,
  formatFigure: formatAccuracy,
  formatCell: formatAccuracy,
  formatChange: (size) => count(Math.round(size), 'point'),
  axis: accuracyAxis,
  marks: { overTime: 'line', byPupil: 'mark' },
  countsZero: true,
  emptyValue: '–',
  valueWidth: '3rem',
  emptyText: 'Has not read in these dates.',
  pastParticiple: 'read',
  initialOrder: 'lowest',
  bands: ACCURACY_BANDS,
  averageChange: ({ accuracy }) => accuracy,
  averageUnit: '',
};

export const READING_TIME: Measure = {
  format: formatDuration,
  formatShort: formatShortTime,
  formatFigure: formatShortTime,
  formatCell: formatMinutes,
  tableUnit: 'in minutes',
  // In whole minutes, like the figure beside it.
  formatChange: (size) => formatShortMinutes(Math.round(size / 60)),
  axis: timeAxis,
  marks: { overTime: 'bar', byPupil: 'bar' },
  countsZero: false,
  emptyValue: '–',
  valueWidth: '6.2rem',
  emptyText: 'Has not read in these dates.',
  pastParticiple: 'read',
  initialOrder: 'name',
  averageChange: ({ average_reading_time }) => average_reading_time,
  totalChange: ({ reading_time }) => reading_time,
  averageUnit: ' a pupil',
};

export const BOOKS: Measure = {
  format: formatBooks,
  formatShort: formatBookNumber,
  formatFigure: formatBooks,
  formatCell: formatBookNumber,
  formatChange: (size) => count(roundToTenths(size), 'book'),
  axis: (values) => countAxis(values, 'book'),
  marks: { overTime: 'bar', byPupil: 'bar' },
  countsZero: false,
  emptyValue: '0',
  valueWidth: '3rem',
  emptyText: 'No book completed in these dates.',
  pastParticiple: 'completed a book',
  initialOrder: 'name',
  averageChange: ({ average_books_completed }) => average_books_completed,
  totalChange: ({ books_completed }) => books_completed,
  averageUnit: ' a pupil',
};

/** Whether a pupil or a bucket has a value to show. */
export const hasReading = ({ countsZero }: Measure, value: number | null | undefined): value is number =>
  value !== null && value !== undefined && (countsZero || value > 0);

/** How a figure has changed: `+12 min`, `−3 points`, `no change` if it rounds to nothing. */
export function formatChange(measure: Measure, change: number): string {
  const text = measure.formatChange(Math.abs(change));
  return text.startsWith('0 ') ? 'no change' : `${change < 0 ? '−' : '+'}${text}`;
}
