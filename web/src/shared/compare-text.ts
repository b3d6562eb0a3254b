import { once } from './once.ts';

const collator = once(() => new Intl.Collator('en-GB', { numeric: true }));

/** Compares text in natural order (`Book 9` before `Book 10`): negative when `one` is first, 0 when they are equal. */
export const compareText = (one: string, other: string): number => collator().compare(one, other);
