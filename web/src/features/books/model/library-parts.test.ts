import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BOOKS_A_PAGE, booksOfPart, pagesOf, partLibrary } from './library-parts.ts';
import { libraryParameters, readLibraryState } from './library-state.ts';

test('the parts of a library are all of its books, each once and in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(300), { maxLength: 8 }), (counts) => {
      const collections = counts.map((books_count, index) => ({ key: `${index}`, title: `${index}`, books_count }));
      const all = collections.flatMap(({ key, books_count }) =>
        Array.from({ length: books_count }, (_, n) => `${key}:${n}`),
      );
      const page = (number: number) => all.slice((number - 1) * BOOKS_A_PAGE, number * BOOKS_A_PAGE);
      const shown = partLibrary(collections).flatMap(({ parts }) =>
        parts.flatMap((part) => {
          const [first, last] = pagesOf(part);
          const start = page(first);
          return booksOfPart(part, start, last === first ? start : page(last)) ?? [];
        }),
      );
      expect(shown).toEqual(all);
    }),
  );
});

test('an address that says nothing good shows everything, and the same state always has the same parameters', () => {
  for (const address of ['', 'from=0&to=7&show=some', 'from=x&search=%20']) {
    const state = readLibraryState(new URLSearchParams(address));
    expect(state).toEqual({ search: '', from: 1, to: 6, show: 'all' });
    expect(libraryParameters(state)).toEqual({});
  }
  const state = readLibraryState(new URLSearchParams('to=2&show=assigned&from=4&search=C%2B%2B (2)?'));
  expect(state).toEqual({ search: 'C++ (2)?', from: 4, to: 4, show: 'assigned' });
});
