import type { Measure } from './measures.ts';

/** How a series is drawn: as a line with marks, a mark alone, a filled bar, or as what the others add up to. */
export type Drawn = 'line' | 'mark' | 'bar' | 'sum';

/** Over time: lines of accuracy, or stacked bars. */
export const drawnOverTime =
  (measure: Measure) =>
  (level: number | null): Drawn =>
    measure === 'accuracy' ? 'line' : level === null ? 'sum' : 'bar';

/** By pupil: accuracies are marks, all else adds up. */
export const drawnByPupil =
  (measure: Measure) =>
  (level: number | null): Drawn =>
    measure === 'accuracy' ? 'mark' : level === null ? 'sum' : 'bar';
