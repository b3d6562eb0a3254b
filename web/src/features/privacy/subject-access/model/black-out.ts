import type { Passage } from '#contract/calls/subject-requests.ts';

/** A part of a text that is blacked out, or not. */
interface TextPart {
  from: number;
  text: string;
  isBlackedOut: boolean;
}

/** The words of a text with their positions; punctuation belongs to its word. */
export const wordsOf = (text: string): Passage[] =>
  [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ from: index, to: index + word.length }));

/** True when a passage covers a part of the word. */
export const isCovered = (word: Passage, passages: readonly Passage[]): boolean =>
  passages.some(({ from, to }) => from < word.to && to > word.from);

/** The passages of chosen words. Words that follow each other are one passage, with the spaces between them. */
export function passagesOf(words: readonly Passage[], chosen: ReadonlySet<number>): Passage[] {
  const passages: Passage[] = [];
  for (const [index, { from, to }] of words.entries()) {
    if (!chosen.has(index)) continue;
    const last = passages.at(-1);
    if (last && chosen.has(index - 1)) last.to = to;
    else passages.push({ from, to });
  }
  return passages;
}

/** A text in parts, to show what is blacked out. */
export function partsOf(text: string, passages: readonly Passage[]): TextPart[] {
  const parts = passages.flatMap(({ from, to }, index) => {
    const start = passages[index - 1]?.to ?? 0;
    return [
      { from: start, text: text.slice(start, from), isBlackedOut: false },
      { from, text: text.slice(from, to), isBlackedOut: true },
    ];
  });
  const end = passages.at(-1)?.to ?? 0;
  return [...parts, { from: end, text: text.slice(end), isBlackedOut: false }].filter((part) => part.text !== '');
}
