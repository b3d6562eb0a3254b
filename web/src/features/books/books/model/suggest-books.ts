import type { Book } from '#contract/calls/books.ts';

/** Which books are suggested to whom. */
export interface Suggestion {
  pupil: { id: number; name: string };
  classId: number | undefined;
  level: number;
  /** How many books are suggested. */
  count: number;
}

/** Chooses a few books in order, from as many collections as possible. */
export function suggestBooks<Suggested extends Pick<Book, 'id' | 'collection_key'>>(
  books: readonly Suggested[],
  count: number,
): Suggested[] {
  const seen = new Set<string>();
  const first: Suggested[] = [];
  const laterOfCollection: Suggested[] = [];
  for (const book of books) {
    (seen.has(book.collection_key) ? laterOfCollection : first).push(book);
    seen.add(book.collection_key);
  }
  return [...first, ...laterOfCollection].slice(0, count);
}
