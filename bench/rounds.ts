/** How long to measure. */
export interface Pace {
  rounds: number;
  /** Seconds a contender a round. */
  seconds: number;
}

/** Runs the contenders in turn, once unmeasured and then the rounds: what disturbs one disturbs the others too. */
export async function withHashSlot<Name extends string, Result>(
  pace: Pace,
  contenders: Record<Name, (seconds: number) => Promise<Result>>,
): Promise<Record<Name, Result>[]> {
  const names = Object.keys(contenders) as Name[];
  for (const name of names) await contenders[name](Math.min(2, pace.seconds));
  const rounds: Record<Name, Result>[] = [];
  for (let round = 0; round < pace.rounds; round += 1) {
    const results = {} as Record<Name, Result>;
    // The order turns too.
    for (const name of round % 2 ? names.toReversed() : names) results[name] = await contenders[name](pace.seconds);
    rounds.push(results);
  }
  return rounds;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** The value that a share of the others (0 to 1) does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
