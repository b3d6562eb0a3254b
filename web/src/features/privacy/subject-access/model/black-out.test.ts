import { expect, test } from 'vitest';
import { isCovered, partsOf, passagesOf, wordsOf } from './black-out.ts';

const TEXT = 'Reads with Zoë Marsh,\nat break.';
const words = wordsOf(TEXT);
const textOf = ({ from, to }: { from: number; to: number }) => TEXT.slice(from, to);

test('words are found with their punctuation', () => {
  expect(words.map(textOf)).toEqual(['Reads', 'with', 'Zoë', 'Marsh,', 'at', 'break.']);
});

test('words that follow each other are one passage', () => {
  expect(passagesOf(words, new Set([0, 2, 3])).map(textOf)).toEqual(['Reads', 'Zoë Marsh,']);
  expect(passagesOf(words, new Set())).toEqual([]);
});

test('chosen words are found again in their passages', () => {
  const passages = passagesOf(words, new Set([2, 3]));
  expect(words.filter((word) => isCovered(word, passages)).map(textOf)).toEqual(['Zoë', 'Marsh,']);
});

test('a text is shown in parts', () => {
  const shown = partsOf(TEXT, passagesOf(words, new Set([0, 5])));
  expect(shown.map(({ text, isBlackedOut }) => [text, isBlackedOut])).toEqual([
    ['Reads', true],
    [' with Zoë Marsh,\nat ', false],
    ['break.', true],
  ]);
  expect(partsOf('', [])).toEqual([]);
});
