/** Words so frequent that missing one of them says nothing about a pupil. They are never listed. */
export const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a an and at but for had he her his i in is it of on she the to we'.split(' '),
);

/** The most frequent words of English beyond the small words. A teacher may leave them out of a list. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    'about after again all am any are as asked away back be because been before by came can come could day did do down ' +
    'each eat find first from get go going good got has have here him house how if into its just know like little long look ' +
    'looked made make many me more must my never new next no not now off old one only or other our out over people put ran ' +
    'said saw say see so some soon take than that their them then there these they thing things this three time too two under ' +
    'until up us very want was way well went were what when where which who why will with would yes you your'
  ).split(' '),
);

interface Spelled {
  word: string;
}

/** Adds to each word whether it is common. */
export const markCommonWords = <Word extends Spelled>(words: readonly Word[]): (Word & { is_common: boolean })[] =>
  words.map((word) => ({ ...word, is_common: COMMON_WORDS.has(word.word.toLowerCase()) }));

/** The words of a printed list: without those left out and, unless `common`, without common words. */
export function selectWords(
  words: readonly (Spelled & { is_common: boolean })[],
  { common, leave_out }: { common: boolean; leave_out: readonly string[] },
): string[] {
  const leftOut = new Set(leave_out.map((word) => word.toLowerCase()));
  return words
    .filter(({ word, is_common }) => (common || !is_common) && !leftOut.has(word.toLowerCase()))
    .map(({ word }) => word);
}

const isCapitalised = (form: string): boolean => form.charAt(0) !== form.charAt(0).toLowerCase();

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** What is before the first word of a sentence or of quoted speech. */
const SENTENCE_START = /(^|[.!?…:“‘"(]|[.!?…]['’”"])\s*$/u;

/** Whether a text has a word within a sentence. */
function isWithinSentence(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(Math.max(0, at - 10), at);
    const isWhole = ![before.at(-1), text[at + word.length]].some((char) => char && LETTER_OR_DIGIT.test(char));
    if (isWhole && !SENTENCE_START.test(before)) return true;
  }
  return false;
}

/**
 * A word that was only met capitalised loses its capital if the books have it, but only at the start of sentences. A word
 * that the books do not have keeps it.
 */
export function settleCapital(word: string, texts: readonly string[]): string {
  if (!isCapitalised(word) || !texts.some((text) => text.includes(word))) return word;
  return texts.some((text) => isWithinSentence(word, text)) ? word : word.charAt(0).toLowerCase() + word.slice(1);
}

/** The commonest of a word's forms. Capitalised forms count only if there is no other; ties go to the first in order. */
export function findSpelling(forms: readonly string[]): string {
  const lower = forms.filter((form) => !isCapitalised(form));
  const counts = Map.groupBy(lower.length > 0 ? lower : forms, (form) => form);
  return (
    [...counts].sort(
      ([form, uses], [nextForm, nextUses]) => nextUses.length - uses.length || (form < nextForm ? -1 : 1),
    )[0]?.[0] ?? ''
  );
}
