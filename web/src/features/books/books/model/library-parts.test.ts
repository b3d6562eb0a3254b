import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BOOKS_A_PAGE, booksOfPart, pagesOf, partLibrary } from './library-parts.ts';
import { libraryParameters, readLibraryState } from './library-state.ts';

const makeBooks = (collection_key: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: Number(collection_key) * 1000 + n, collection_key }));
const describeCollections = (counts: readonly number[]) =>
  counts.map((books_count, index) => ({ key: `${index}`, title: `${index}`, books_count }));
type Books = ReturnType<typeof makeBooks>;
const pageOf = (books: Books, number: number) => books.slice((number - 1) * BOOKS_A_PAGE, number * BOOKS_A_PAGE);

test('the parts of a library are all of its books, each once and in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(300), { maxLength: 8 }), (counts) => {
      const all = counts.flatMap((count, index) => makeBooks(`${index}`, count));
      const shown = partLibrary(describeCollections(counts)).flatMap(({ parts }) =>
        parts.flatMap((part) => {
          const [first, last] = pagesOf(part);
          const start = pageOf(all, first);
          return booksOfPart(part, start, last === first ? start : pageOf(all, last));
        }),
      );
      expect(shown).toEqual(all);
    }),
  );
});

test('a part shows no book twice or under another title while one of its pages is older than the other', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(counts, fc.nat(), fc.boolean(), (before, seed, isFirstPageNew) => {
      const all = before.flatMap((count, index) => makeBooks(`${index}`, count));
      const removed = seed % all.length;
      const remaining = all.filter((_, index) => index !== removed);
      const after = before.map((count, index) => (String(index) === all[removed]!.collection_key ? count - 1 : count));
      for (const { key, parts } of partLibrary(describeCollections(after)))
        for (const part of parts) {
          const [first, last] = pagesOf(part);
          const start = pageOf(isFirstPageNew ? remaining : all, first);
          const end = last === first ? start : pageOf(isFirstPageNew ? all : remaining, last);
          const shown = booksOfPart(part, start, end);
          expect(shown.every((book) => book.collection_key === key)).toBe(true);
          expect(new Set(shown).size).toBe(shown.length);
          expect(shown.length).toBeLessThanOrEqual(part.count);
        }
    }),
  );
});

test('a part shows the books of its first page before its last page has loaded', () => {
  const books = [...makeBooks('0', 3), ...makeBooks('1', 97)];
  const part = partLibrary(describeCollections([3, 97]))[1]!.parts[0]!;
  expect(booksOfPart(part, pageOf(books, 1), undefined)).toEqual(books.slice(3, 60));
  expect(booksOfPart(part, undefined, pageOf(books, 2))).toEqual([]);
});

test('invalid parameters of a library show all books, and the same state always has the same parameters', () => {
  for (const address of ['', 'from=0&to=7&show=some', 'from=x&search=%20']) {
    const state = readLibraryState(new URLSearchParams(address));
    expect(state).toEqual({ search: '', from: 1, to: 6, show: 'all' });
    expect(libraryParameters(state)).toEqual({});
  }
  const state = readLibraryState(new URLSearchParams('to=2&show=assigned&from=4&search=C%2B%2B (2)?'));
  expect(state).toEqual({ search: 'C++ (2)?', from: 4, to: 4, show: 'assigned' });
});
