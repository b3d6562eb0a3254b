import { searchKey } from '#contract/fields.ts';
import { wordsOf } from '#contract/words.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
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
export const titleKey = searchKey;

/** What identifies an imported book. */
export const bookKey = (book: { collection_key: string; title_key: string }): string =>
  `${book.collection_key} ${book.title_key}`;

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
  await saveBooks(
    db,
    books.map(({ pages, ...book }) => ({ ...book, title_key: titleKey(book.title), pages_count: pages.length })),
  );
  const ids = books.map(({ id }) => id);
  await withdrawBooks(db, now, sql<boolean>`id < ${FIRST_IMPORTED_ID} and id <> all (${ids}::bigint[])`);
  await db.tx.deleteFrom('book_pages').where('book_id', 'in', ids).execute();
  await db.tx
    .insertInto('book_pages')
    .values(
      books.flatMap(({ id, pages }) =>
        pages.map((text, index) => ({ book_id: id, page: index + 1, text, words: wordsOf(text) })),
      ),
    )
    .execute();
  await arrangeLibrary(db);
  await db.tx.deleteFrom('catalogue_state').execute();
  await db.tx.insertInto('catalogue_state').values({ content_hash: hash }).execute();
}

/** A book as the catalogue stores it, without its pages. */
export interface CatalogueBook extends Omit<Catalogue['books'][number], 'id' | 'pages'> {
  title_key: string;
  pages_count: number;
}

/** Creates or replaces books, with their tags. `arrangeLibrary` gives them their positions. */
export async function saveBooks(db: PlatformDb, books: readonly (CatalogueBook & { id: number })[]): Promise<void> {
  await db.tx
    .insertInto('books')
    .values(books.map(({ tags: _, ...book }) => ({ ...book, library_position: 0 })))
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
  await sql`delete from book_tags where ${inIds('book_id', ids)}`.execute(db.tx);
  const pairs = books.flatMap(({ id, tags }) => [...new Set(tags)].map((text) => ({ id, text })));
  if (pairs.length === 0) return;
  const texts = pairs.map(({ text }) => text);
  await sql`insert into tags (text) select distinct t from unnest(${texts}::text[]) t order by t on conflict (text) do nothing`.execute(
    db.tx,
  );
  await sql`insert into book_tags (book_id, tag_id)
    select p.book_id, tags.id from unnest(${pairs.map(({ id }) => id)}::bigint[], ${texts}::text[]) p (book_id, text)
    join tags on tags.text = p.text`.execute(db.tx);
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
