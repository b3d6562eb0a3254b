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

/**
 * The commonest of a word's forms.
 * Capitalised forms count only if there is no other; ties go to the first in order.
 * @param forms each form, and how often it was sent
 */
export function findSpelling(forms: ReadonlyMap<string, number>): string {
  const lower = [...forms].filter(([form]) => !isCapitalised(form));
  return (
    (lower.length > 0 ? lower : [...forms]).toSorted(
      ([form, uses], [nextForm, nextUses]) => nextUses - uses || (form < nextForm ? -1 : 1),
    )[0]?.[0] ?? ''
  );
}

/** Whether the texts of a word's books settle how it is spelled. */
export const needsTexts = isCapitalised;
