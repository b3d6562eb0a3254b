import { expect, test } from 'vitest';
import { isCovered, partsOf, passagesOf, wordsOf } from './black-out.ts';

const TEXT = 'Reads with Zoë Marsh,\nat break.';
const words = wordsOf(TEXT);
const textOf = ({ from, to }: { from: number; to: number }) => TEXT.slice(from, to);

test('a text is split into words with their punctuation', () => {
  expect(words.map(textOf)).toEqual(['Reads', 'with', 'Zoë', 'Marsh,', 'at', 'break.']);
});

test('words to black out that follow each other are one passage', () => {
  expect(passagesOf(words, new Set([0, 2, 3])).map(textOf)).toEqual(['Reads', 'Zoë Marsh,']);
  expect(passagesOf(words, new Set())).toEqual([]);
});

test('the words that were blacked out are chosen when the text opens again', () => {
  const passages = passagesOf(words, new Set([2, 3]));
  expect(words.filter((word) => isCovered(word, passages)).map(textOf)).toEqual(['Zoë', 'Marsh,']);
});

test('a text is shown in parts that are and are not blacked out', () => {
  const shown = partsOf(TEXT, passagesOf(words, new Set([0, 5])));
  expect(shown.map(({ text, isBlackedOut }) => [text, isBlackedOut])).toEqual([
    ['Reads', true],
    [' with Zoë Marsh,\nat ', false],
    ['break.', true],
  ]);
  expect(partsOf('', [])).toEqual([]);
});
