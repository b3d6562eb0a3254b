/** Frequent words that are left out: missing one of them in each reading says nothing about the pupil. */
export const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a an and at but for had he her his i in is it of on she the to we'.split(' '),
);
