import type { Measure } from './measures.ts';

/** How a series is drawn: as a line with marks, a mark alone, or a filled bar. */
export type Drawn = 'line' | 'mark' | 'bar';

/** Over time: lines of accuracy, or stacked bars. */
export const drawnOverTime =
  (measure: Measure) =>
  (level: number | null): Drawn =>
    measure === 'accuracy' ? 'line' : level === null ? 'mark' : 'bar';

/** By pupil: accuracies do not add up, so levels are marks on the bar of all. */
export const drawnByPupil =
  (measure: Measure) =>
  (level: number | null): Drawn =>
    measure === 'accuracy' && level !== null ? 'mark' : 'bar';
