import { count, formatNumber } from '../../../../shared/format.ts';

/** The scale of an axis: its ends, its ticks and how they are formatted. */
export interface Axis {
  min: number;
  max: number;
  ticks: number[];
  format: (value: number) => string;
}

const MINUTE = 60;
const HOUR = 3600;
const MAX_STEPS = 5;

const upTo = (min: number, max: number, step: number): number[] =>
  Array.from({ length: Math.round((max - min) / step) + 1 }, (_, index) => min + index * step);

/** The smallest step of 1, 2 or 5 times a power of ten that covers the largest value in five steps. */
function roundStep(largest: number): number {
  let power = 1;
  for (;;) {
    for (const step of [1, 2, 5]) if (largest <= step * power * MAX_STEPS) return step * power;
    power *= 10;
  }
}

function fromZero(largest: number, step: number, format: Axis['format']): Axis {
  const max = Math.max(1, Math.ceil(largest / step)) * step;
  return { min: 0, max, ticks: upTo(0, max, step), format };
}

const stepOf = (steps: readonly number[], largest: number): number =>
  steps.find((step) => largest <= step * MAX_STEPS) ?? roundStep(largest);

const largestOf = (values: readonly number[]): number => Math.max(0, ...values);

/** The axis of reading time: seconds under 120, then minutes under 60, then hours. */
export function timeAxis(values: readonly number[]): Axis {
  const largest = largestOf(values);
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
  const step = largest <= MAX_STEPS * 0.5 * HOUR ? 0.5 * HOUR : roundStep(largest / HOUR) * HOUR;
  return fromZero(largest, step, (value) => `${formatNumber(value / HOUR)} h`);
}

/** The axis of things that are counted, such as books. */
export function countAxis(values: readonly number[], noun: string): Axis {
  const largest = largestOf(values);
  return fromZero(largest, roundStep(largest), (value) => count(value, noun));
}

/** The axis of accuracies, up to 100%. It begins at a round value below the lowest, at most 90, so that values differ visibly. */
export function accuracyAxis(values: readonly number[]): Axis {
  const lowest = values.length > 0 ? Math.min(...values) : 0;
  const step = [2, 5, 10, 20].find((size) => lowest - 1 >= 100 - size * MAX_STEPS) ?? 20;
  const min = Math.max(0, Math.min(90, Math.floor((lowest - 1) / step) * step));
  return { min, max: 100, ticks: upTo(min, 100, step), format: (value) => `${value}%` };
}
