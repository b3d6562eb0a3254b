import type { Chart } from '#contract/calls/charts.ts';

/** A pupil's bar: the value of each level that occurs, and their total. */
export interface PupilRow {
  id: number;
  name: string;
  total: number | null;
  parts: { level: number | null; name: string; value: number }[];
}

export type PupilOrder = 'name' | 'highest' | 'lowest';

const PUPILS_A_PAGE = 30;
/** Even a large class fits on one page. */
const LARGEST_CLASS = 40;

/** The number of pupils on a page. */
export const pageSizeFor = (pupils: number): number => (pupils <= LARGEST_CLASS ? LARGEST_CLASS : PUPILS_A_PAGE);

/** The rows of a chart of pupils, as the server orders them: by name. */
export function pupilRows({ labels, reader_ids: pupilIds, series }: Chart): PupilRow[] {
  const total = series.find(({ level }) => level === null);
  const levels = series.filter(({ level }) => level !== null);
  return labels.map((name, index) => ({
    id: pupilIds?.[index] ?? 0,
    name,
    total: total?.data[index] ?? null,
    parts: levels.flatMap(({ level, name: levelName, data }) => {
      const value = data[index];
      return value === null || value === undefined ? [] : [{ level, name: levelName, value }];
    }),
  }));
}

/** The rows by name, or by value. A pupil without a value is last in both directions. */
export function orderPupils(rows: readonly PupilRow[], order: PupilOrder): PupilRow[] {
  if (order === 'name') return [...rows];
  const sign = order === 'highest' ? -1 : 1;
  const value = ({ total }: PupilRow) => total ?? sign * Infinity;
  return [...rows].sort((a, b) => (value(a) === value(b) ? 0 : sign * (value(a) - value(b))));
}

export interface Band {
  name: string;
  /** The lowest value in it. */
  from: number;
}

const UNKNOWN = 'No word attempted';

/** The name of the band that a pupil is in. */
export const bandOf = ({ total }: PupilRow, bands: readonly Band[]): string =>
  (total === null ? undefined : bands.findLast(({ from }) => total >= from)?.name) ?? UNKNOWN;

/** How many pupils are in each band. Pupils without a value are last, if there are any. */
export function countBands(rows: readonly PupilRow[], bands: readonly Band[]): { name: string; pupils: number }[] {
  const pupilsIn = (band: string) => rows.filter((row) => bandOf(row, bands) === band).length;
  return [...bands.map(({ name }) => name), UNKNOWN]
    .map((name) => ({ name, pupils: pupilsIn(name) }))
    .filter(({ name, pupils }) => name !== UNKNOWN || pupils > 0);
}
