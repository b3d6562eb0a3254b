import { once } from './once.ts';

const collator = once(() => new Intl.Collator('en-GB', { numeric: true }));

/** Compares text in natural order (`Book 9` before `Book 10`): negative when `left` is first, 0 when they are equal. */
export const compareText = (left: string, right: string): number => collator().compare(left, right);
