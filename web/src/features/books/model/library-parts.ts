/** Books that are rendered together: full rows of 2, 3, 4, 5 and 6. */
const PART = 60;
/** Books per page of the API. */
export const BOOKS_A_PAGE = 60;

interface Collection {
  key: string;
  title: string;
  books_count: number;
}

/** A part of a collection: the index of its first book among all books shown, and their number. */
export interface LibraryPart {
  start: number;
  count: number;
}

/** The collections that have books to show, in parts. Only parts near the viewport are rendered. */
export function partLibrary(collections: readonly Collection[]): (Collection & { parts: LibraryPart[] })[] {
  let start = 0;
  return collections.flatMap((collection) => {
    const parts: LibraryPart[] = [];
    const end = start + collection.books_count;
    for (let from = start; from < end; from += PART) parts.push({ start: from, count: Math.min(PART, end - from) });
    start = end;
    return parts.length > 0 ? [{ ...collection, parts }] : [];
  });
}

/** The pages of the API that contain a part's books: one page, or two in a row. */
export function pagesOf({ start, count }: LibraryPart): [number, number] {
  return [Math.floor(start / BOOKS_A_PAGE) + 1, Math.floor((start + count - 1) / BOOKS_A_PAGE) + 1];
}

/** A part's books from its two pages; undefined until all have loaded. */
export function booksOfPart<Book>(
  { start, count }: LibraryPart,
  first: readonly Book[] | undefined,
  last: readonly Book[] | undefined,
): readonly Book[] | undefined {
  if (!first || !last) return undefined;
  const offset = start % BOOKS_A_PAGE;
  const head = first.slice(offset, offset + count);
  return first === last ? head : [...head, ...last.slice(0, count - head.length)];
}
