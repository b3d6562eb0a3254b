import { WORDS_A_SHEET, type WordPrint } from '#contract/words.ts';
import { expect, test } from 'vitest';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { renderWordSheet } from './word-sheets.document.ts';

type Lists = Parameters<typeof renderWordSheet>[0]['lists'];

/** The text of each page. */
async function print(kind: WordPrint, lists: Lists): Promise<string[]> {
  const bytes = await renderWordSheet({ product: 'Storylark', days: 'today', lists, kind });
  return (await extractText(await getDocumentProxy(new Uint8Array(bytes)))).text;
}

test.each(['sheet', 'flashcards', 'tick_list'] as const)(
  'a page of the print %s has as many words as its button assumes',
  async (kind) => {
    const countPages = async (words: number) =>
      (await print(kind, [{ name: 'Ada', words: Array.from({ length: words }, (_, index) => `word${index}`) }])).length;
    expect([await countPages(WORDS_A_SHEET[kind]), await countPages(WORDS_A_SHEET[kind] + 1)]).toEqual([1, 2]);
  },
);

test('a word that two pupils have in two spellings is on one card', async () => {
  const [page] = await print('flashcards', [
    { name: 'Ada', words: ['don’t', 'Bang'] },
    { name: 'Ben', words: ["don't", 'bang'] },
  ]);
  expect(page?.split(/\s+/).filter(Boolean)).toHaveLength(2);
});

test('pupils without words get no page, and a print without any word has one page that says so', async () => {
  const [page, ...others] = await print('tick_list', [
    { name: 'Ada', words: [] },
    { name: 'Ben', words: ['bang'] },
  ]);
  expect([page?.includes('Ben'), others]).toEqual([true, []]);
  const empty = await print('sheet', [
    { name: 'Ada', words: [] },
    { name: 'Ben', words: [] },
  ]);
  expect(empty).toEqual([expect.stringContaining('No words to practise')]);
});
