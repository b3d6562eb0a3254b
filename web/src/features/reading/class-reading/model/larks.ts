import type { ReadingLine, WeekReader } from '#contract/calls/class-reading.ts';
import { paths } from '../../../../paths.ts';
import { count, formatNumber, listInWords } from '../../../../shared/format.ts';
import { minutes } from '../../reading-needs/reading-needs.public.ts';
import { layOutLarks } from './lark-layout.ts';

/** A pupil or a class in the picture. */
export interface Lark {
  key: string;
  name: string;
  to: string;
  isOnGround: boolean;
  level: number | null;
  /** What is known besides the name: `24 minutes, level 5`. */
  facts: string;
  wide: { x: number; row: number };
  narrow: { x: number; row: number };
}

/** A place on the axis, in per cent of the width. */
export interface Mark {
  text: string;
  wide: number;
  narrow: number;
}

export interface LarkPicture {
  /** From left to right. */
  larks: Lark[];
  wideRows: number;
  narrowRows: number;
  ticks: Mark[];
  median: Mark | null;
}

/** The smallest widths, in pixels, that the two layouts of the picture are made for. */
export const WIDE_WIDTH = 600;
const NARROW_WIDTH = 240;
const MIN_ROWS = 3;

const MAX_STEPS = 6;
const STEPS_IN_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 3000];

/** Seconds for each pupil; null for a lark on the ground. */
const flightOf = (mark: WeekReader): number | null => (mark.readers === 0 ? null : mark.reading_time / mark.pupils);

export function layOutPicture({ of, readers: marks, median_reading_time: median }: ReadingLine): LarkPicture {
  const values = marks.map(flightOf);
  const longest = Math.max(1, median ?? 0, ...values.map((value) => value ?? 0));
  const step = 60 * (STEPS_IN_MINUTES.find((size) => longest <= size * 60 * MAX_STEPS) ?? 6000);
  const max = Math.ceil(longest / step) * step;
  const wide = layOutLarks(values, max, WIDE_WIDTH, MIN_ROWS);
  const narrow = layOutLarks(values, max, NARROW_WIDTH, MIN_ROWS);
  const markAt = (seconds: number, text: string): Mark => ({
    text,
    wide: wide.scale(seconds),
    narrow: narrow.scale(seconds),
  });
  const larks = marks.map((mark, index): Lark => ({
    key: String(mark.id),
    name: mark.name,
    to: linkOf(of, mark),
    isOnGround: values[index] === null,
    level: mark.reading_level,
    facts: describe(of, mark),
    wide: { x: wide.x[index] ?? 0, row: wide.row[index] ?? 0 },
    narrow: { x: narrow.x[index] ?? 0, row: narrow.row[index] ?? 0 },
  }));
  return {
    larks: larks.toSorted((a, b) => a.wide.x - b.wide.x || a.wide.row - b.wide.row),
    wideRows: wide.rows,
    narrowRows: narrow.rows,
    ticks: Array.from({ length: Math.round(max / step) }, (_, index) =>
      markAt((index + 1) * step, formatNumber(((index + 1) * step) / 60)),
    ),
    median: median === null ? null : markAt(median, `Median ${formatNumber(minutes(median))} min`),
  };
}

const linkOf = (of: ReadingLine['of'], { id }: WeekReader): string =>
  id === null ? paths.pupils({ groups: 'none' }) : of === 'pupils' ? paths.pupil(id) : paths.dashboard({ class: id });

function describe(of: ReadingLine['of'], { pupils, readers: active, reading_time, reading_level }: WeekReader): string {
  const level = reading_level === null ? 'no level yet' : `level ${reading_level}`;
  if (of === 'pupils') return `${active === 0 ? 'did not read' : count(minutes(reading_time), 'minute')}, ${level}`;
  const time = active === 0 ? 'no reading' : `${count(minutes(reading_time / pupils), 'minute')} a pupil`;
  return `${time}, ${formatNumber(active)} of ${formatNumber(pupils)} read, ${level}`;
}

/** The whole line in one sentence, for a screen reader. */
export function summariseLine({ of, readers: marks, median_reading_time: median }: ReadingLine): string {
  const onGround = marks.filter((mark) => mark.readers === 0).length;
  const noun = of === 'pupils' ? 'pupil' : 'class';
  const who = count(marks.length, noun, of === 'pupils' ? 'pupils' : 'classes');
  return `${who} by minutes read. ${formatNumber(marks.length - onGround)} read, ${formatNumber(onGround)} did not. Median: ${count(minutes(median ?? 0), 'minute')}.`;
}

/** How many pupils read in a week that the user has chosen: `26 of 31 pupils read, 14 minutes each.` */
export function describeShownWeek({ readers: marks, is_current_week }: ReadingLine): string {
  const sum = (valueOf: (mark: WeekReader) => number) => marks.reduce((total, mark) => total + valueOf(mark), 0);
  const active = sum((mark) => mark.readers);
  const pupils = sum((mark) => mark.pupils);
  const time = count(minutes(sum((mark) => mark.reading_time) / Math.max(1, active)), 'minute');
  if (pupils === 1) {
    if (active === 0)
      return `The one pupil ${is_current_week ? 'has not read yet this week' : 'did not read in this week'}.`;
    return `The one pupil ${is_current_week ? 'has read so far this week' : 'read'}, ${time}.`;
  }
  if (active === 0) return is_current_week ? 'No one has read yet this week.' : 'No one read in this week.';
  const verb = is_current_week ? (active === 1 ? 'has read so far this week' : 'have read so far this week') : 'read';
  return `${formatNumber(active)} of ${formatNumber(pupils)} pupils ${verb}, ${time}${active === 1 ? '' : ' each'}.`;
}

/** Names in a sentence; more are counted. */
const MAX_NAMES = 4;

/** What there is to be glad about in a week. */
export function describeJoys(
  { is_best_week, is_current_week, first_books }: Pick<ReadingLine, 'is_best_week' | 'is_current_week' | 'first_books'>,
  isNameless: boolean,
): string[] {
  const who =
    isNameless || first_books.length > MAX_NAMES
      ? count(first_books.length, 'pupil')
      : listInWords(first_books.map(({ name }) => name));
  return [
    ...(is_best_week
      ? [is_current_week ? 'The best week of this school year so far.' : 'The best week of the school year up to then.']
      : []),
    ...(first_books.length > 0 ? [`First book completed: ${who}.`] : []),
  ];
}
