import { normalizeName, stripAccents } from '#contract/fields.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { deleteBatch } from '../../database/batches.ts';
import type { PlatformDb } from '../../database/platform-db.ts';
import type { Tables } from '../../database/tables.ts';
import { enqueue } from '../../jobs/queue.ts';
import { FIRST_IMPORTED_ID } from '../book-content/book-content.public.ts';

/** The books, collections and packages that the product offers, as the content folder has them. */
export interface Catalogue {
  collections: { key: string; title: string }[];
  books: {
    id: number;
    title: string;
    description: string;
    collection_key: string;
    reading_level: number;
    /** Of the cover and the preview; null where there is none. */
    cover_version: string | null;
    preview_version: string | null;
    tags: string[];
    /** The text of each page. */
    pages: string[];
  }[];
  packages: Omit<Selectable<Tables['packages']>, 'position' | 'is_offered'>[];
}

/** Deletes the assignments of withdrawn books. */
export const WITHDRAWN_BOOKS_JOB = 'withdrawn-books-cleaning';

/** A title as it is compared and searched: no accents, lower case, plain apostrophes. */
export const titleKey = (title: string): string => stripAccents(normalizeName(title)).toLowerCase();

/** One process at a time changes the catalogue. */
export async function lockCatalogue(db: PlatformDb): Promise<void> {
  await sql`lock table catalogue_state in exclusive mode`.execute(db.tx);
}

/** What the catalogue tables were loaded from; processes that start at once wait here for each other. */
export async function findCatalogueHash(db: PlatformDb): Promise<string | undefined> {
  await lockCatalogue(db);
  const row = await db.tx.selectFrom('catalogue_state').select('content_hash').executeTakeFirst();
  return row?.content_hash;
}

/** Writes the catalogue over the one before. Books that it no longer has are withdrawn. */
export async function replaceCatalogue(db: PlatformDb, catalogue: Catalogue, hash: string, now: Date): Promise<void> {
  const { collections, books, packages } = catalogue;
  const positioned = <T extends object>(things: readonly T[]) =>
    things.map((thing, place) => ({ ...thing, position: place + 1 }));
  await db.tx
    .insertInto('collections')
    .values(positioned(collections))
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((row) => ({ title: row.ref('excluded.title'), position: row.ref('excluded.position') })),
    )
    .execute();
  await db.tx
    .insertInto('packages')
    .values(positioned(packages))
    // Prices are the operator's to change once they are there.
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
    .values(books.flatMap(({ id, pages }) => pages.map((text, place) => ({ book_id: id, page: place + 1, text }))))
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
 * Takes books out of the library. They stay in the tables, because pupils have read them; a job deletes their
 * assignments, which may be millions.
 */
async function withdrawBooks(db: PlatformDb, now: Date, which: RawBuilder<boolean>): Promise<void> {
  const withdrawn = await db.tx
    .updateTable('books')
    .set({ withdrawn_at: now })
    .where(which)
    .where('withdrawn_at', 'is', null)
    .returning('id')
    .execute();
  if (withdrawn.length > 0) await enqueue(db, WITHDRAWN_BOOKS_JOB, {});
}

/** Whether the book of an assignment is withdrawn. */
const IS_WITHDRAWN = sql<boolean>`book_id in (select id from books where withdrawn_at is not null)`;

/** Deletes a batch of the assignments of withdrawn books to classes, in all schools. Returns the number deleted. */
export const deleteWithdrawnClassBooks = (db: PlatformDb): Promise<number> =>
  deleteBatch(db, 'class_books', ['school_id', 'class_id', 'book_id'], IS_WITHDRAWN);

/** Deletes a batch of the assignments of withdrawn books to pupils, in all schools. Returns the number deleted. */
export const deleteWithdrawnPupilBooks = (db: PlatformDb): Promise<number> =>
  deleteBatch(db, 'pupil_books', ['school_id', 'pupil_id', 'book_id'], IS_WITHDRAWN);

/** Numbers the books in the order of the library, by collection, level and title, and counts those of each collection. */
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
