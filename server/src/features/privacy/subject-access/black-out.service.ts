import { BLACKED_OUT, type Passage } from '#contract/calls/subject-requests.ts';

/** True between two code units of one character. */
const splitsCharacter = (text: string, position: number): boolean =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(Math.max(position - 1, 0), position + 1)) && position > 0;

/** True when the passages are parts of the text, in order and without overlaps. */
export const arePassagesOf = (text: string, passages: readonly Passage[]): boolean =>
  passages.every(
    ({ from, to }, index) =>
      from >= (passages[index - 1]?.to ?? 0) &&
      from < to &&
      to <= text.length &&
      !splitsCharacter(text, from) &&
      !splitsCharacter(text, to),
  );

/** The text with its passages blacked out. The replacement does not reveal their length. */
export function blackOut(text: string, passages: readonly Passage[]): string {
  const kept = [...passages, { from: text.length, to: text.length }].map(({ from }, index) =>
    text.slice(passages[index - 1]?.to ?? 0, from),
  );
  return kept.join(BLACKED_OUT);
}
