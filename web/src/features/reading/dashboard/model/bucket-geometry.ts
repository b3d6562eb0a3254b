import type { Axis } from './axis.ts';

/** The share of a step that is the gap between bars. */
const GAP_SHARE = 0.24;

export interface Band {
  start: number;
  width: number;
  middle: number;
}

/** The position of a bucket, in per cent of the chart's width, which the server does not know. */
export function bandOf(index: number, count: number): Band {
  const step = 100 / count;
  return { start: (index + GAP_SHARE / 2) * step, width: (1 - GAP_SHARE) * step, middle: (index + 0.5) * step };
}

/** The distance of a value from the top of a chart. */
export const depthOf = (value: number, { min, max }: Pick<Axis, 'min' | 'max'>, height: number): number =>
  height * (1 - (value - min) / (max - min));

export interface Point {
  index: number;
  value: number;
}

/** The buckets that have a value. */
export const pointsOf = (data: readonly (number | null)[]): Point[] =>
  data.flatMap((value, index) => (value === null ? [] : [{ index, value }]));

/** Runs of consecutive buckets with a value, which a line connects. */
export function runsOf(data: readonly (number | null)[]): Point[][] {
  const runs: Point[][] = [];
  for (const point of pointsOf(data)) {
    const run = runs.at(-1);
    if (run?.at(-1)?.index === point.index - 1) run.push(point);
    else runs.push([point]);
  }
  return runs;
}

/** Stacks the values of each bucket: where each begins and ends. A missing value is 0. */
export function stack(series: readonly { data: readonly (number | null)[] }[]): { from: number; to: number }[][] {
  const tops: number[] = [];
  return series.map(({ data }) =>
    data.map((value, index) => {
      const from = tops[index] ?? 0;
      const to = from + (value ?? 0);
      tops[index] = to;
      return { from, to };
    }),
  );
}
