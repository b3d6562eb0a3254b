import { count } from '../../../../shared/format.ts';

const UNITS = [
  [365 * 86_400, 'year'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/**
 * How wrong a clock is, in its largest unit: `5 hours ahead`, `2 days behind`.
 * @param seconds by which it is ahead; negative if it is behind
 */
export function formatClockDifference(seconds: number): string {
  const size = Math.abs(seconds);
  const [length, unit] = UNITS.find(([each]) => size >= each) ?? UNITS[3];
  return `${count(Math.round(size / length), unit)} ${seconds < 0 ? 'behind' : 'ahead'}`;
}

/** `2 tablets have a wrong clock` */
export const wrongClocksText = (tablets: number, where = ''): string =>
  `${count(tablets, 'tablet')}${where} ${tablets === 1 ? 'has' : 'have'} a wrong clock`;
