import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Database } from '../../../database/database.ts';
import { inPlatform } from '../../../database/platform.ts';
import { readPictureSources } from '../book-content/book-content.public.ts';
import { type Catalogue, findCatalogueHash, replaceCatalogue } from './catalogue.queries.ts';

const CONTENT = resolve(import.meta.dirname, '../../../../../content');

const catalogueBook = z.strictObject({
  id: z.number().int().positive(),
  title: z.string().min(1),
  description: z.string().min(1),
  reading_level: z.number().int().min(1).max(6),
  tags: z.array(z.string().min(1)),
  pages: z.array(z.string().min(1)).min(1),
});
const collection = z.strictObject({ key: z.string(), title: z.string() });
const packageOffer = z.strictObject({
  id: z.number().int(),
  title: z.string(),
  description: z.string(),
  price_pence: z.number().int().min(0),
  is_trial: z.boolean(),
  max_readers: z.number().int().positive(),
});

/** To be increased when `.document.ts` files of `book-content` render covers or previews differently. */
const RENDERING_VERSION = 1;

const versionOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(CONTENT, path), 'utf8'));

/** Reads and validates the content folder. Throws a ZodError for invalid content. */
export function readCatalogue(): Catalogue {
  const pictures = readPictureSources();
  const files = readdirSync(join(CONTENT, 'books'))
    .filter((name) => name.endsWith('.json'))
    .sort();
  return {
    collections: z.array(collection).parse(readJson('collections.json')),
    packages: z.array(packageOffer).parse(readJson('packages.json')),
    books: files.flatMap((file) =>
      z
        .array(catalogueBook)
        .parse(readJson(`books/${file}`))
        .map((book) => {
          const version = versionOf([RENDERING_VERSION, pictures, book]);
          const collection_key = file.replace(/\.json$/, '');
          return { ...book, collection_key, cover_version: version, preview_version: version };
        }),
    ),
  };
}

/** Updates the catalogue tables if the content folder has changed. */
export async function loadCatalogue(database: Database, now: Date): Promise<void> {
  const catalogue = readCatalogue();
  const hash = versionOf(catalogue);
  await inPlatform(database, async (db) => {
    if ((await findCatalogueHash(db)) !== hash) await replaceCatalogue(db, catalogue, hash, now);
  });
}
