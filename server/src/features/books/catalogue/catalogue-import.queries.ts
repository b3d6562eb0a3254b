import { sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { FIRST_IMPORTED_ID } from '../book-content/book-content.public.ts';
import { arrangeLibrary, lockCatalogue } from './catalogue.queries.ts';

export interface ImportedBook {
  title: string;
  title_key: string;
  description: string;
  reading_level: number;
  collection_key: string;
  tags: string[];
  pages_count: number;
  cover_version: string | null;
  preview_version: string | null;
}

export const listCollections = (db: PlatformDb): Promise<{ key: string; title: string }[]> =>
  db.tx.selectFrom('collections').select(['key', 'title']).orderBy('position').execute();

/** Books written by one statement. */
const BATCH_SIZE = 1000;

/**
 * Writes imported books that are new or have changed. Collection and title identify a book.
 * @returns `ids` by collection and title; `taken`: titles that belong to the product's own books, in which case nothing is written
 */
export async function importBooks(
  db: PlatformDb,
  books: readonly ImportedBook[],
): Promise<{ ids: Map<string, number>; created: number; changed: number; taken: string[] }> {
  await lockCatalogue(db);
  const keyOf = (book: { collection_key: string; title_key: string }) => `${book.collection_key} ${book.title_key}`;
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
  const own = new Set(known.filter(({ id }) => id < FIRST_IMPORTED_ID).map(keyOf));
  const taken = books.filter((book) => own.has(keyOf(book))).map(({ title }) => title);
  if (taken.length > 0) return { ids: new Map(), created: 0, changed: 0, taken };

  const imported = new Map(known.filter(({ id }) => id >= FIRST_IMPORTED_ID).map((book) => [keyOf(book), book]));
  let next = Math.max(FIRST_IMPORTED_ID - 1, ...[...imported.values()].map(({ id }) => id)) + 1;
  const ids = new Map<string, number>();
  const written: (ImportedBook & { id: number })[] = [];
  let created = 0;
  for (const book of books) {
    const before = imported.get(keyOf(book));
    const id = before?.id ?? next++;
    ids.set(keyOf(book), id);
    if (!before) created += 1;
    if (!before || before.withdrawn_at !== null || toComparable(before) !== toComparable(book))
      written.push({ ...book, id });
  }
  for (let start = 0; start < written.length; start += BATCH_SIZE)
    await writeBooks(db, written.slice(start, start + BATCH_SIZE));
  if (written.length > 0) await arrangeLibrary(db);
  return { ids, created, changed: written.length - created, taken };
}

/** Everything that a list contains about a book, as one string for comparison. */
const toComparable = (book: ImportedBook): string =>
  JSON.stringify([
    book.title,
    book.description,
    book.reading_level,
    book.pages_count,
    book.cover_version,
    book.preview_version,
    [...book.tags].sort(),
  ]);

async function writeBooks(db: PlatformDb, books: readonly (ImportedBook & { id: number })[]): Promise<void> {
  await db.tx
    .insertInto('books')
    .values(books.map(({ tags: _, ...book }) => ({ ...book, library_position: 0 })))
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        title: row.ref('excluded.title'),
        description: row.ref('excluded.description'),
        reading_level: row.ref('excluded.reading_level'),
        pages_count: row.ref('excluded.pages_count'),
        cover_version: row.ref('excluded.cover_version'),
        preview_version: row.ref('excluded.preview_version'),
        withdrawn_at: null,
      })),
    )
    .execute();
  const ids = books.map(({ id }) => id);
  await sql`delete from book_tags where ${inIds('book_id', ids)}`.execute(db.tx);
  const pairs = books.flatMap(({ id, tags }) => tags.map((text) => ({ id, text })));
  if (pairs.length === 0) return;
  const texts = pairs.map(({ text }) => text);
  await sql`insert into tags (text) select distinct t from unnest(${texts}::text[]) t order by t on conflict (text) do nothing`.execute(
    db.tx,
  );
  await sql`insert into book_tags (book_id, tag_id)
    select p.book_id, tags.id from unnest(${pairs.map(({ id }) => id)}::bigint[], ${texts}::text[]) p (book_id, text)
    join tags on tags.text = p.text`.execute(db.tx);
}
