/** A seeded random number generator: the same values for the same seed on every machine. */
export interface Random {
  /** From 0 to 1, excluding 1. */
  next(): number;
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  /** True with this probability. */
  chance(share: number): boolean;
  /** A random element. Throws for an empty list. */
  pick<T>(list: readonly T[]): T;
  /** The list in random order. */
  shuffle<T>(list: readonly T[]): T[];
  /** A normally distributed value. */
  around(mean: number, deviation: number): number;
  /** A UUID of version 4. */
  uuid(): string;
}

/** FNV-1a: gives similar seeds (`pupil 1`, `pupil 2`) very different hashes. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

/**
 * Creates a generator (mulberry32). Use a separate one for each pupil and purpose (`reading of Leo`), so that a change to
 * one does not affect the others.
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
    // The sum of three uniform values is close enough to a normal distribution.
    around: (mean, deviation) => mean + (next() + next() + next() - 1.5) * 2 * deviation,
    uuid: () =>
      'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (sign) =>
        (sign === 'x' ? whole(0, 15) : whole(8, 11)).toString(16),
      ),
  };
}
