/** A source of chance that gives the same values for the same seed, on every machine. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  /** True in this share of cases. */
  chance(share: number): boolean;
  /** One of a list. Throws on an empty one. */
  pick<T>(list: readonly T[]): T;
  /** The list in another order. */
  shuffle<T>(list: readonly T[]): T[];
  /** Values around a mean, most of them nearer than one deviation. */
  around(mean: number, deviation: number): number;
  /** A UUID of version 4. */
  uuid(): string;
}

/** FNV-1a: spreads the seeds of neighbours (`pupil 1`, `pupil 2`) far apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

/**
 * Chance from a seed. Take one of its own for each pupil and purpose (`reading of Leo`): then a change to one
 * leaves the others as they were. The generator is mulberry32.
 */
export function randomFrom(seed: string): Random {
  let state = hash(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new RangeError('Nothing to pick from.');
    return list[whole(0, list.length - 1)] as T;
  };
  return {
    next,
    whole,
    pick,
    between: (low, high) => low + next() * (high - low),
    chance: (share) => next() < share,
    shuffle: (list) =>
      list
        .map((item) => ({ item, order: next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ item }) => item),
    // The sum of three even chances is near enough to a bell.
    around: (mean, deviation) => mean + (next() + next() + next() - 1.5) * 2 * deviation,
    uuid: () =>
      'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (sign) =>
        (sign === 'x' ? whole(0, 15) : whole(8, 11)).toString(16),
      ),
  };
}
