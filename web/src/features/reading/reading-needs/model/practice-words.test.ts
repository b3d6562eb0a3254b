import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type WordPrint, WORDS_A_SHEET } from '#contract/words.ts';
import { countPages, listClassWords, listWords } from './practice-words.ts';

const word = (spelling: string, readings: number, met: number) => ({ word: spelling, readings, met, books: [] });

test('the words of one pupil keep their order, and those met in fewer than eight readings are marked', () => {
  const words = [word('where', 3, 8), word('bridge', 1, 7)];
  expect(listWords([{ id: 1, name: 'Ada', words }])).toEqual([
    { word: 'where', extent: 'hard in 3 of 8' },
    { word: 'bridge', extent: 'hard in 1 of 7, few readings' },
  ]);
});

test('the words of a class keep their order and count readings and pupils', () => {
  expect(listClassWords([{ ...word('where', 38, 81), readers: 12 }])).toEqual([
    { word: 'where', extent: 'hard in 38 of 81, 12 pupils' },
  ]);
});

test('the words of several pupils are merged whatever their case and apostrophes, in lower case unless all are capitalised', () => {
  const listed = listWords([
    { id: 1, name: 'Ada', words: [word('Nettlebrook', 5, 6), word('Don’t', 8, 20)] },
    { id: 2, name: 'Ben', words: [word("don't", 4, 10)] },
  ]);
  expect(listed).toEqual([
    { word: "don't", extent: '2 pupils, hard in 12 of 30' },
    { word: 'Nettlebrook', extent: '1 pupil, hard in 5 of 6' },
  ]);
});

test('the words of several pupils begin with those of most pupils, then those hard in the largest share of readings', () => {
  const listed = listWords([
    { id: 1, name: 'Ada', words: [word('light', 9, 20), word('knee', 3, 6), word('bridge', 1, 30)] },
    { id: 2, name: 'Ben', words: [word('bridge', 1, 30)] },
  ]);
  expect(listed.map((item) => item.word)).toEqual(['bridge', 'knee', 'light']);
});

const WORDS = Array.from({ length: 60 }, (_, index) => `word${index}`);

/** Lays out the pages one by one. */
function layOut(print: WordPrint, lists: readonly (readonly string[])[], ticked: ReadonlySet<string>): string[][] {
  const pages: string[][] = [];
  const printed = print === 'flashcards' ? [WORDS.filter((item) => lists.some((list) => list.includes(item)))] : lists;
  for (const list of printed) {
    let page: string[] | undefined;
    for (const item of list.filter((one) => ticked.has(one))) {
      if (!page || page.length === WORDS_A_SHEET[print]) pages.push((page = []));
      page.push(item);
    }
  }
  return pages;
}

test('the number of pages of sheets, flashcards and tick lists is that of the pages laid out one by one', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<WordPrint[]>('sheet', 'flashcards', 'tick_list'),
      fc.array(fc.subarray(WORDS), { maxLength: 6 }),
      fc.subarray(WORDS),
      (print, lists, words) => {
        const ticked = new Set(words);
        expect(countPages(print, lists, ticked)).toBe(layOut(print, lists, ticked).length);
      },
    ),
  );
});

test.each([
  ['sheet', 2],
  ['flashcards', 2],
  ['tick_list', 3],
] as const)('a %s of 22 and 3 words of two pupils who share them has %i pages', (print, pages) => {
  const lists = [WORDS.slice(0, 22), WORDS.slice(0, 3)];
  // Flashcards have nine words: the others are not ticked.
  const ticked = new Set(print === 'flashcards' ? WORDS.slice(0, 9) : WORDS);
  expect(countPages(print, lists, ticked)).toBe(pages);
});

test('a pupil without a ticked word has no page', () => {
  expect(countPages('sheet', [['Where'], ['light']], new Set(['where']))).toBe(1);
  expect(countPages('flashcards', [['Where'], ['where']], new Set(['where']))).toBe(1);
});
