/** The duration of a measurement. */
export interface Pace {
  rounds: number;
  /** Seconds for each contender in a round. */
  seconds: number;
}

type Contenders = Record<string, (seconds: number) => Promise<unknown>>;
type Round<All extends Contenders> = { [Name in keyof All]: Awaited<ReturnType<All[Name]>> };

/**
 * Runs the contenders in turn, after an unmeasured warm-up, so that disturbances affect all of them. Returns a function
 * that computes the median of a figure of the rounds.
 */
export async function inTurns<All extends Contenders>(
  pace: Pace,
  contenders: All,
): Promise<(figure: (round: Round<All>) => number) => number> {
  const all = Object.entries(contenders);
  for (const [, run] of all) await run(Math.min(2, pace.seconds));
  const rounds: Round<All>[] = [];
  for (let round = 0; round < pace.rounds; round += 1) {
    const results: Record<string, unknown> = {};
    // The order alternates.
    for (const [name, run] of round % 2 ? all.toReversed() : all) results[name] = await run(pace.seconds);
    rounds.push(results as Round<All>);
  }
  return (figure) => median(rounds.map(figure));
}

/** The value that a share of the values (0 to 1) does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
