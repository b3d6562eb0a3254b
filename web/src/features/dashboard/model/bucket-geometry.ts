import type { Axis } from './axis.ts';

/** The part of its step that a bar leaves free. */
const GAP = 0.24;

export interface Band {
  start: number;
  width: number;
  middle: number;
}

/** Where a bucket stands among so many, in per cent of the chart's width: the chart is drawn before its width is known. */
export function bandOf(index: number, count: number): Band {
  const step = 100 / count;
  return { start: (index + GAP / 2) * step, width: (1 - GAP) * step, middle: (index + 0.5) * step };
}

/** How far below the top of a chart so high a value lies. */
export const depthOf = (value: number, { min, max }: Pick<Axis, 'min' | 'max'>, height: number): number =>
  height * (1 - (value - min) / (max - min));

export interface Point {
  index: number;
  value: number;
}

/** The buckets in which there is a value. */
export const pointsOf = (data: readonly (number | null)[]): Point[] =>
  data.flatMap((value, index) => (value === null ? [] : [{ index, value }]));

/** The same in runs without a bucket between them that has no value: what a line may join. */
export function runsOf(data: readonly (number | null)[]): Point[][] {
  const runs: Point[][] = [];
  for (const point of pointsOf(data)) {
    const run = runs.at(-1);
    if (run?.at(-1)?.index === point.index - 1) run.push(point);
    else runs.push([point]);
  }
  return runs;
}

/** The values of each bucket one upon the other: where each begins and ends. Nothing where there is none. */
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
