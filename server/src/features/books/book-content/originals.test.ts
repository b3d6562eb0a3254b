import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readInPlatform } from '../../../database/platform.ts';
import { testApp } from '../../../testing/app.ts';
import { backUpOriginals, findMissingOriginals, originalPath, restoreOriginals } from './originals.service.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-originals-'));
const [data, backups, restored] = [join(folder, 'data'), join(folder, 'backups'), join(folder, 'restored')];
afterAll(() => rmSync(folder, { recursive: true }));

const BOOK = 1_000_001;
const writeOriginal = (kind: 'covers' | 'previews', version: string, content: string) => {
  const path = originalPath(data, kind, BOOK, version);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};
const findMissing = async (dataDir: string) =>
  (await readInPlatform(app.database, (db) => findMissingOriginals(db, dataDir))).breaches;

beforeAll(async () => {
  writeOriginal('covers', 'c1', 'a cover');
  writeOriginal('previews', 'p1', 'a preview');
  await app.database.kysely
    .insertInto('books')
    .values({
      id: BOOK,
      title: 'Imported',
      title_key: 'imported',
      description: 'A book for this test.',
      collection_key: 'default',
      reading_level: 1,
      pages_count: 0,
      library_position: 0,
      cover_version: 'c1',
      preview_version: 'p1',
    })
    .execute();
});

test('a backup copies imported covers and previews, and a restore copies them back', async () => {
  expect(await findMissing(restored)).toEqual([`the cover of book ${BOOK}`, `the preview of book ${BOOK}`]);
  await backUpOriginals(data, backups);
  await restoreOriginals(backups, restored);
  expect(readFileSync(originalPath(restored, 'covers', BOOK, 'c1'), 'utf8')).toBe('a cover');
  expect(await findMissing(restored)).toEqual([]);
});

test('a backup copies a file again only when the earlier copy is incomplete', async () => {
  const copies = join(backups, 'originals', 'covers');
  const { mtimeMs } = statSync(join(copies, `${BOOK}-c1`));
  writeOriginal('covers', 'c2', 'a newer cover');
  writeFileSync(join(copies, `${BOOK}-c2.partial`), 'a ne');
  await backUpOriginals(data, backups);
  expect(readdirSync(copies).sort()).toEqual([`${BOOK}-c1`, `${BOOK}-c2`]);
  expect(readFileSync(join(copies, `${BOOK}-c2`), 'utf8')).toBe('a newer cover');
  expect(statSync(join(copies, `${BOOK}-c1`)).mtimeMs).toBe(mtimeMs);
});

test('a backup without imported books copies no files', async () => {
  await backUpOriginals(join(folder, 'none'), join(folder, 'empty'));
  expect(existsSync(join(folder, 'empty'))).toBe(false);
});
