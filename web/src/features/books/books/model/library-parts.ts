/** Books that are rendered together: full rows of 2, 3, 4, 5 and 6. */
export const BOOKS_A_PART = 60;
/** Books per page of the API. */
export const BOOKS_A_PAGE = 60;

interface Collection {
  key: string;
  title: string;
  books_count: number;
}

/** A part of a collection: the index of its first book among all books shown, and their number. */
export interface LibraryPart {
  collectionKey: string;
  start: number;
  count: number;
}

/** The collections that have books to show, in parts. Only parts near the viewport are rendered. */
export function partLibrary(collections: readonly Collection[]): (Collection & { parts: LibraryPart[] })[] {
  let start = 0;
  return collections.flatMap((collection) => {
    const parts: LibraryPart[] = [];
    const end = start + collection.books_count;
    for (let from = start; from < end; from += BOOKS_A_PART)
      parts.push({ collectionKey: collection.key, start: from, count: Math.min(BOOKS_A_PART, end - from) });
    start = end;
    return parts.length > 0 ? [{ ...collection, parts }] : [];
  });
}

/** The pages of the API that contain a part's books: one page, or two in a row. */
export function pagesOf({ start, count }: LibraryPart): [number, number] {
  return [Math.floor(start / BOOKS_A_PAGE) + 1, Math.floor((start + count - 1) / BOOKS_A_PAGE) + 1];
}

/**
 * The books of a part that its two pages contain so far. A page that was loaded before a book left the view still has
 * books at their old places, so books of another collection and repeated books are left out until it is reloaded.
 */
export function booksOfPart<Book extends { id: number; collection_key: string }>(
  { collectionKey, start, count }: LibraryPart,
  first: readonly Book[] | undefined,
  last: readonly Book[] | undefined,
): readonly Book[] {
  if (!first) return [];
  const offset = start % BOOKS_A_PAGE;
  const head = first.slice(offset, offset + count);
  const tail = first === last ? [] : (last ?? []).slice(0, count - head.length);
  const books = new Map([...head, ...tail].map((book) => [book.id, book]));
  return [...books.values()].filter((book) => book.collection_key === collectionKey);
}
