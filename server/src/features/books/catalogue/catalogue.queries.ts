import { normalizeName, stripAccents } from '#contract/fields.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { Tables } from '../../../database/tables.ts';
import { enqueue, RETENTION_JOB } from '../../../jobs/queue.ts';
import { FIRST_IMPORTED_ID } from '../book-content/book-content.public.ts';

/** The product's books, collections and packages, as the content folder contains them. */
export interface Catalogue {
  collections: { key: string; title: string }[];
  books: {
    id: number;
    title: string;
    description: string;
    collection_key: string;
    reading_level: number;
    /** The version of the cover, and of the preview; null without one. */
    cover_version: string | null;
    preview_version: string | null;
    tags: string[];
    /** The text of each page. */
    pages: string[];
  }[];
  packages: Omit<Selectable<Tables['packages']>, 'position' | 'is_offered'>[];
}

/** The form of a title for comparison and search: lower case, without accents, with plain apostrophes. */
export const titleKey = (title: string): string => stripAccents(normalizeName(title)).toLowerCase();

/** Locks the catalogue: one process changes it at a time. */
export async function lockCatalogue(db: PlatformDb): Promise<void> {
  await sql`lock table catalogue_state in exclusive mode`.execute(db.tx);
}

/** Locks the catalogue and returns the hash of the content that it was loaded from. */
export async function findCatalogueHash(db: PlatformDb): Promise<string | undefined> {
  await lockCatalogue(db);
  const row = await db.tx.selectFrom('catalogue_state').select('content_hash').executeTakeFirst();
  return row?.content_hash;
}

/** Replaces the catalogue. Books that it no longer contains are withdrawn. */
export async function replaceCatalogue(db: PlatformDb, catalogue: Catalogue, hash: string, now: Date): Promise<void> {
  const { collections, books, packages } = catalogue;
  const withPositions = <T extends object>(items: readonly T[]) =>
    items.map((item, index) => ({ ...item, position: index + 1 }));
  await db.tx
    .insertInto('collections')
    .values(withPositions(collections))
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((row) => ({ title: row.ref('excluded.title'), position: row.ref('excluded.position') })),
    )
    .execute();
  await db.tx
    .insertInto('packages')
    .values(withPositions(packages))
    // The operator may have changed existing packages.
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await db.tx
    .insertInto('books')
    .values(
      books.map(({ tags: _, pages, ...book }) => ({
        ...book,
        title_key: titleKey(book.title),
        pages_count: pages.length,
        library_position: 0,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        title: row.ref('excluded.title'),
        title_key: row.ref('excluded.title_key'),
        description: row.ref('excluded.description'),
        collection_key: row.ref('excluded.collection_key'),
        reading_level: row.ref('excluded.reading_level'),
        pages_count: row.ref('excluded.pages_count'),
        cover_version: row.ref('excluded.cover_version'),
        preview_version: row.ref('excluded.preview_version'),
        withdrawn_at: null,
      })),
    )
    .execute();
  const ids = books.map(({ id }) => id);
  await withdrawBooks(db, now, sql<boolean>`id < ${FIRST_IMPORTED_ID} and id <> all (${ids}::bigint[])`);
  await db.tx.deleteFrom('book_pages').where('book_id', 'in', ids).execute();
  await db.tx.deleteFrom('book_tags').where('book_id', 'in', ids).execute();
  await db.tx
    .insertInto('book_pages')
    .values(books.flatMap(({ id, pages }) => pages.map((text, index) => ({ book_id: id, page: index + 1, text }))))
    .execute();
  const texts = [...new Set(books.flatMap(({ tags }) => tags))].sort();
  await db.tx
    .insertInto('tags')
    .values(texts.map((text) => ({ text })))
    .onConflict((conflict) => conflict.column('text').doNothing())
    .execute();
  const tags = new Map((await db.tx.selectFrom('tags').selectAll().execute()).map(({ id, text }) => [text, id]));
  await db.tx
    .insertInto('book_tags')
    .values(
      books.flatMap((book) =>
        [...new Set(book.tags)].map((text) => ({ book_id: book.id, tag_id: tags.get(text) ?? 0 })),
      ),
    )
    .execute();
  await arrangeLibrary(db);
  await db.tx.deleteFrom('catalogue_state').execute();
  await db.tx.insertInto('catalogue_state').values({ content_hash: hash }).execute();
}

/**
 * Withdraws books from the library. Their rows stay, because pupils have read them. A job deletes their assignments,
 * of which there may be millions.
 */
async function withdrawBooks(db: PlatformDb, now: Date, condition: RawBuilder<boolean>): Promise<void> {
  const withdrawn = await db.tx
    .updateTable('books')
    .set({ withdrawn_at: now })
    .where(condition)
    .where('withdrawn_at', 'is', null)
    .returning('id')
    .execute();
  if (withdrawn.length > 0) await enqueue(db, RETENTION_JOB, {});
}

/** Numbers the books in library order (collection, level, title) and counts the books of each collection. */
export async function arrangeLibrary(db: PlatformDb): Promise<void> {
  await sql`
    update books set library_position = arranged.position from (
      select b.id, row_number() over (order by c.position, b.reading_level, b.title_key, b.id) as position
      from books b join collections c on c.key = b.collection_key
    ) arranged
    where arranged.id = books.id and arranged.position <> library_position`.execute(db.tx);
  await sql`
    update collections set books_count = counted.books from (
      select c.key, count(b.id) as books
      from collections c left join books b on b.collection_key = c.key and b.withdrawn_at is null
      group by c.key
    ) counted
    where counted.key = collections.key and counted.books <> books_count`.execute(db.tx);
}
