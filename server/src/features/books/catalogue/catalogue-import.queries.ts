import { sql } from 'kysely';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { FIRST_IMPORTED_ID } from '../book-content/book-content.public.ts';
import { arrangeLibrary, bookKey, type CatalogueBook, lockCatalogue, saveBooks } from './catalogue.queries.ts';

export const listCollections = (db: PlatformDb): Promise<{ key: string; title: string }[]> =>
  db.tx.selectFrom('collections').select(['key', 'title']).orderBy('position').execute();

/** Books written by one statement. */
const BATCH_SIZE = 1000;

/**
 * Writes imported books that are new or have changed.
 * @returns `ids` by `bookKey`; `taken`: titles that belong to the product's own books, in which case nothing is written
 */
export async function importBooks(
  db: PlatformDb,
  books: readonly CatalogueBook[],
): Promise<{ ids: Map<string, number>; created: number; changed: number; taken: string[] }> {
  await lockCatalogue(db);
  const known = await db.tx
    .selectFrom('books as b')
    .select([
      'b.id',
      'b.title',
      'b.title_key',
      'b.description',
      'b.reading_level',
      'b.collection_key',
      'b.pages_count',
      'b.cover_version',
      'b.preview_version',
      'b.withdrawn_at',
    ])
    .select(
      sql<string[]>`array(select t.text from book_tags bt join tags t on t.id = bt.tag_id where bt.book_id = b.id)`.as(
        'tags',
      ),
    )
    .execute();
  const own = new Set(known.filter(({ id }) => id < FIRST_IMPORTED_ID).map(bookKey));
  const taken = books.filter((book) => own.has(bookKey(book))).map(({ title }) => title);
  if (taken.length > 0) return { ids: new Map(), created: 0, changed: 0, taken };

  const imported = new Map(known.filter(({ id }) => id >= FIRST_IMPORTED_ID).map((book) => [bookKey(book), book]));
  let next = Math.max(FIRST_IMPORTED_ID - 1, ...[...imported.values()].map(({ id }) => id)) + 1;
  const ids = new Map<string, number>();
  const written: (CatalogueBook & { id: number })[] = [];
  let created = 0;
  for (const book of books) {
    const before = imported.get(bookKey(book));
    const id = before?.id ?? next++;
    ids.set(bookKey(book), id);
    if (!before) created += 1;
    if (!before || before.withdrawn_at !== null || toComparable(before) !== toComparable(book))
      written.push({ ...book, id });
  }
  for (let start = 0; start < written.length; start += BATCH_SIZE)
    await saveBooks(db, written.slice(start, start + BATCH_SIZE));
  if (written.length > 0) await arrangeLibrary(db);
  return { ids, created, changed: written.length - created, taken };
}

/** Everything that a list contains about a book, as one string for comparison. */
const toComparable = (book: CatalogueBook): string =>
  JSON.stringify([
    book.title,
    book.description,
    book.reading_level,
    book.pages_count,
    book.cover_version,
    book.preview_version,
    [...book.tags].sort(),
  ]);
