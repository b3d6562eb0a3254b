import { expect, test } from 'vitest';
import { suggestBooks } from './suggest-books.ts';

const book = (id: number, collection_key: string) => ({ id, collection_key });
const ids = (books: readonly { id: number }[]) => books.map(({ id }) => id);

test('suggested books come from as many collections as possible, in order', () => {
  const books = [book(1, 'farm'), book(2, 'farm'), book(3, 'sea'), book(4, 'sea'), book(5, 'farm')];
  expect(ids(suggestBooks(books, 2))).toEqual([1, 3]);
  expect(ids(suggestBooks(books, 4))).toEqual([1, 3, 2, 4]);
  expect(ids(suggestBooks(books, 9))).toEqual([1, 3, 2, 4, 5]);
  expect(suggestBooks([], 2)).toEqual([]);
});
