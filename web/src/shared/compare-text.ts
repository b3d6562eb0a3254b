import { once } from './once.ts';

const collator = once(() => new Intl.Collator('en-GB', { numeric: true }));

/** Orders words as people do: negative when `one` comes first, 0 when they are equal; `Book 9` before `Book 10`. */
export const compareText = (one: string, other: string): number => collator().compare(one, other);
