import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../database/database.ts';
import { inPlatform, readInPlatform } from '../../../database/platform.ts';
import { originalPath } from '../book-content/book-content.public.ts';
import { importBooks, listCollections } from './catalogue-import.queries.ts';
import { bookKey, type CatalogueBook } from './catalogue.queries.ts';
import { type ListedBook, type ListFault, readCatalogueList } from './catalogue-list.service.ts';

interface ImportReport {
  faults: ListFault[];
  created: number;
  changed: number;
  unchanged: number;
}

/**
 * Imports a publisher's list into the catalogue, or nothing if a row is invalid. Collection and title identify a book,
 * so that importing the same list again changes nothing.
 * @param folder contains the covers and previews that the list names
 */
export async function importCatalogue(
  { database, config }: { database: Database; config: Pick<Config, 'dataDir'> },
  name: string,
  content: Uint8Array,
  folder: string,
): Promise<ImportReport> {
  const collections = await readInPlatform(database, listCollections);
  const { books, faults } = await readCatalogueList(name, content, folder, collections);
  if (faults.length > 0) return { faults, created: 0, changed: 0, unchanged: 0 };
  const imported = await inPlatform(database, async (db) => {
    const result = await importBooks(db, books.map(toRow));
    // Written before the commit, so that every listed book has its files. Their names contain a hash: none is overwritten.
    await writeOriginals(config.dataDir, books, result.ids);
    return result;
  });
  const { created, changed, taken } = imported;
  return {
    faults: taken.map((title) => ({ row: 0, text: `“${title}” is one of the product’s own books.` })),
    created,
    changed,
    unchanged: taken.length > 0 ? 0 : books.length - created - changed,
  };
}

const toRow = ({ cover, preview, ...book }: ListedBook): CatalogueBook => ({
  ...book,
  cover_version: cover?.version ?? null,
  preview_version: preview?.version ?? null,
});

async function writeOriginals(
  dataDir: string,
  books: readonly ListedBook[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  for (const book of books) {
    const id = ids.get(bookKey(book));
    if (id === undefined) continue;
    for (const [kind, file] of [
      ['covers', book.cover],
      ['previews', book.preview],
    ] as const) {
      if (!file) continue;
      const path = originalPath(dataDir, kind, id, file.version);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, file.bytes);
    }
  }
}
