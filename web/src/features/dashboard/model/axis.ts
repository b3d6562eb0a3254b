import { count, formatNumber } from '../../../shared/format.ts';
import type { Measure } from './measures.ts';

/** The scale of an axis: its ends, the values marked on it, and how they are written. */
export interface Axis {
  min: number;
  max: number;
  ticks: number[];
  format: (value: number) => string;
}

const MINUTE = 60;
const HOUR = 3600;
const MOST_TICKS = 5;

const upTo = (min: number, max: number, step: number): number[] =>
  Array.from({ length: Math.round((max - min) / step) + 1 }, (_, index) => min + index * step);

/** The smallest step of 1, 2 or 5 times a power of ten that covers the largest value in five steps. */
function roundStep(largest: number): number {
  let power = 1;
  for (;;) {
    for (const step of [1, 2, 5]) if (largest <= step * power * MOST_TICKS) return step * power;
    power *= 10;
  }
}

function fromZero(largest: number, step: number, format: Axis['format']): Axis {
  const max = Math.max(1, Math.ceil(largest / step)) * step;
  return { min: 0, max, ticks: upTo(0, max, step), format };
}

const stepOf = (steps: readonly number[], largest: number): number =>
  steps.find((step) => largest <= step * MOST_TICKS) ?? roundStep(largest);

/** Seconds under 120, then minutes under 60, then hours. */
function timeAxis(largest: number): Axis {
  if (largest < 2 * MINUTE) return fromZero(largest, stepOf([1, 2, 5, 10, 20, 30], largest), (value) => `${value} s`);
  if (largest < HOUR)
    return fromZero(
      largest,
      stepOf(
        [1, 2, 5, 10, 15].map((step) => step * MINUTE),
        largest,
      ),
      (value) => `${value / MINUTE} min`,
    );
  const step = largest <= MOST_TICKS * 0.5 * HOUR ? 0.5 * HOUR : roundStep(largest / HOUR) * HOUR;
  return fromZero(largest, step, (value) => `${formatNumber(value / HOUR)} h`);
}

/** The axis of a chart whose largest value is given. An accuracy always ends at 100 per cent. */
export function axisFor(measure: Measure, largest: number): Axis {
  if (measure === 'time') return timeAxis(largest);
  if (measure === 'books') return fromZero(largest, roundStep(largest), (value) => count(value, 'book'));
  return accuracyAxis(0);
}

/** The axis of accuracies: it begins at a round value below the lowest, at 90 or less, so that what is there can be told apart. */
export function accuracyAxis(lowest: number): Axis {
  const step = [2, 5, 10, 20].find((size) => lowest - 1 >= 100 - size * MOST_TICKS) ?? 20;
  const min = Math.max(0, Math.min(90, Math.floor((lowest - 1) / step) * step));
  return { min, max: 100, ticks: upTo(min, 100, step), format: (value) => `${value}%` };
}
