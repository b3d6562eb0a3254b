import { formatTable } from '../harness/results.ts';

/** The same figure of the other build and of this one, medians of all rounds. */
export interface Comparison {
  what: string;
  other: number;
  own: number;
  unit: 'ms' | 'kB' | 'times' | '';
  /** The bound of this build's figure, or of its ratio to the other's; absent for information. */
  limit?: { own: number } | { ratio: number };
}

/** A work tree with a build, and the address at which its portal serves the demonstration schools. */
export interface Build {
  root: string;
  url: string;
}
export type Builds = Record<'other' | 'own', Build>;

export const DEMO_STAFF = { email: 'head@willowbank.example', password: 'reading-1' };

const DIGITS = { ms: 1, kB: 0, times: 2, '': 3 };

const isMet = ({ other, own, limit }: Comparison): boolean | undefined =>
  limit && ('own' in limit ? own <= limit.own : own <= limit.ratio * other);

export const isMissed = (comparison: Comparison): boolean => isMet(comparison) === false;

export function showComparisons(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((comparison) => {
    const { what, other, own, unit, limit } = comparison;
    const show = (value: number) => `${value.toFixed(DIGITS[unit])} ${unit}`.trim();
    const target = limit && ('own' in limit ? `≤ ${show(limit.own)}` : `ratio ≤ ${limit.ratio.toFixed(2)}`);
    const met = { true: 'yes', false: '**no**', undefined: '' }[String(isMet(comparison))] ?? '';
    return [what, show(other), show(own), other > 0 ? (own / other).toFixed(2) : '', target ?? '', met];
  });
  return formatTable([['Figure', 'Other', 'This', 'Ratio', 'Target', 'Met'], ...rows]);
}
