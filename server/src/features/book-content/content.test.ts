import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from '../../testing/read-pdf.ts';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { drawCover } from './covers.document.ts';
import { readCatalogue } from '../catalogue/catalogue.public.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-content-'));
afterAll(() => rmSync(folder, { recursive: true }));
const app = testApp({ DATA_DIR: folder });

const get = (url: string, accept = 'image/avif,image/webp,*/*') => app.fastify.inject({ url, headers: { accept } });
const { books } = readCatalogue();
const versionOf = (id: number) => books.find((book) => book.id === id)?.cover_version;

test('covers come in the height or width asked for, as WebP or, where that is not taken, as PNG', async () => {
  for (const [query, accept, expected] of [
    ['height=400', 'image/webp', { format: 'webp', width: 300, height: 400 }],
    ['width=200', '*/*', { format: 'webp', width: 200, height: 267 }],
    ['', 'image/png', { format: 'png', width: 300, height: 400 }],
    ['width=120', 'image/webp', { format: 'webp', width: 200, height: 267 }],
    ['height=9999', 'image/webp', { format: 'webp', width: 600, height: 800 }],
    ['height=-3', 'image/webp', { format: 'webp', width: 300, height: 400 }],
  ] as const) {
    const { rawPayload, headers } = await get(`/content/covers/101?${query}`, accept);
    const { format, width, height } = await sharp(rawPayload).metadata();
    expect({ format, width, height }).toEqual(expected);
    expect(headers).toMatchObject({ 'content-type': `image/${expected.format}`, vary: 'accept' });
  }
});

test('a cover with its present version is kept for good, any other for an hour; a book or size that is none is 404', async () => {
  const caching = async (url: string) => (await get(url)).headers['cache-control'];
  expect(await caching(`/content/covers/102?v=${versionOf(102)}&height=400`)).toBe(
    'public, max-age=31536000, immutable',
  );
  for (const version of ['0123456789abcdef', '../../x', 'ABC'])
    expect(await caching(`/content/covers/102?v=${version}&height=400`)).toBe('public, max-age=3600');
  for (const id of ['9999', '0', '-1', '1e3', 'x', '101.pdf', '..%2f101'])
    expect((await get(`/content/covers/${id}`)).statusCode).toBe(404);
});

test('a picture is made once: what lies in the data folder is what is answered, without the database', async () => {
  const url = `/content/covers/103?v=${versionOf(103)}&width=200`;
  const [first, second] = await Promise.all([get(url), get(url)]);
  expect(first.rawPayload.equals(second.rawPayload)).toBe(true);
  const name = `103-${versionOf(103)}-width200.webp`;
  const made = join(folder, 'content', 'made', 'covers');
  expect(readdirSync(made).filter((file) => file.startsWith('103-'))).toEqual([name]);
  writeFileSync(join(made, `103-${versionOf(103)}-height800.webp`), 'marked');
  expect((await get(`/content/covers/103?v=${versionOf(103)}&height=800`)).payload).toBe('marked');
});

test('every cover is distinct, and composed of drawings', () => {
  const covers = books.map((book) => drawCover({ ...book, title: '' }));
  expect(new Set(covers).size).toBe(books.length);
  for (const cover of covers) expect(cover.match(/<g transform/g)?.length).toBeGreaterThan(1);
});

test('a preview is a PDF with the cover and each page’s words', async () => {
  const { rawPayload, headers } = await get('/content/previews/306.pdf');
  expect(headers['content-type']).toBe('application/pdf');
  const { text, totalPages } = await extractText(await getDocumentProxy(new Uint8Array(rawPayload)));
  const book = books.find(({ id }) => id === 306);
  expect(totalPages).toBe(1 + (book?.pages.length ?? 0));
  const plain = (words: string) => words.replace(/\s+/g, '');
  book?.pages.forEach((words, index) => expect(plain(text[index + 1] ?? '')).toBe(plain(words) + String(index + 1)));
  for (const path of ['/content/previews/9999.pdf', '/content/previews/306', '/content/previews/x.pdf'])
    expect((await get(path)).statusCode).toBe(404);
});
