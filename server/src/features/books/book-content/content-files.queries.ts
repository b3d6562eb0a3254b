import type { PlatformDb } from '../../../database/platform-db.ts';

/** The lowest ID of an imported book, whose cover and preview are the publisher's files. Lower IDs are the product's own. */
export const FIRST_IMPORTED_ID = 1_000_000;

/** What a book's cover and preview are made from. */
export interface ContentRow {
  id: number;
  title: string;
  reading_level: number;
  cover_version: string | null;
  preview_version: string | null;
  /** The text of each page. */
  pages: string[];
}

export async function findContent(db: PlatformDb, bookId: number): Promise<ContentRow | undefined> {
  const book = await db.tx
    .selectFrom('books')
    .select(['id', 'title', 'reading_level', 'cover_version', 'preview_version'])
    .where('id', '=', bookId)
    .executeTakeFirst();
  if (!book) return undefined;
  const pages = await db.tx
    .selectFrom('book_pages')
    .select('text')
    .where('book_id', '=', bookId)
    .orderBy('page')
    .execute();
  return { ...book, pages: pages.map(({ text }) => text) };
}

/** The imported books that have a cover or a preview. */
export const listImportedContent = (db: PlatformDb): Promise<Omit<ContentRow, 'title' | 'reading_level' | 'pages'>[]> =>
  db.tx
    .selectFrom('books')
    .select(['id', 'cover_version', 'preview_version'])
    .where('id', '>=', FIRST_IMPORTED_ID)
    .orderBy('id')
    .execute();
