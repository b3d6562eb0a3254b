import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { createCoverCache } from './content-files.service.ts';
import { renderCover } from './covers.document.ts';
import { readCatalogue } from '../catalogue/catalogue.public.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-content-'));
afterAll(() => rmSync(folder, { recursive: true }));
const app = testApp({ DATA_DIR: folder });

const get = (url: string, accept = 'image/avif,image/webp,*/*') => app.fastify.inject({ url, headers: { accept } });
const { books } = readCatalogue();
const versionOf = (id: number) => books.find((book) => book.id === id)?.cover_version;

test('a cover has the requested height or width, as WebP, or as PNG for a client without WebP', async () => {
  for (const [query, accept, expected] of [
    ['height=400', 'image/webp', { format: 'webp', width: 300, height: 400 }],
    ['height=300', 'image/webp', { format: 'webp', width: 225, height: 300 }],
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

test('a cover with the current version is cached for a year, any other for an hour; an unknown book is 404', async () => {
  const caching = async (url: string) => (await get(url)).headers['cache-control'];
  expect(await caching(`/content/covers/102?v=${versionOf(102)}&height=400`)).toBe(
    'public, max-age=31536000, immutable',
  );
  for (const version of ['0123456789abcdef', '../../x', 'ABC'])
    expect(await caching(`/content/covers/102?v=${version}&height=400`)).toBe('public, max-age=3600');
  for (const id of ['9999', '0', '-1', '1e3', 'x', '101.pdf', '..%2f101'])
    expect((await get(`/content/covers/${id}`)).statusCode).toBe(404);
});

test('a cover is made once and then read from the data folder', async () => {
  const url = `/content/covers/103?v=${versionOf(103)}&width=200`;
  const [first, second] = await Promise.all([get(url), get(url)]);
  expect(first.rawPayload.equals(second.rawPayload)).toBe(true);
  const name = `103-${versionOf(103)}-width200.webp`;
  const made = join(folder, 'content', 'made', 'covers');
  expect(readdirSync(made).filter((file) => file.startsWith('103-'))).toEqual([name]);
  writeFileSync(join(made, `103-${versionOf(103)}-height800.webp`), 'from disk');
  expect((await get(`/content/covers/103?v=${versionOf(103)}&height=800`)).payload).toBe('from disk');
});

test('covers are cached by book, version, size and format, whatever other parameters the URL has', async () => {
  const base = `/content/covers/104?v=${versionOf(104)}`;
  const [webp, png] = [await get(`${base}&width=100`), await get(`${base}&width=100`, 'image/png')];
  const made = join(folder, 'content', 'made', 'covers');
  for (const file of readdirSync(made)) if (file.startsWith('104-')) writeFileSync(join(made, file), 'read from disk');
  for (const query of ['&width=100&junk=1', `&width=90&${'x'.repeat(4000)}`, '&x[]=1&x[]=2&width=100#2'])
    expect({ query, isSame: (await get(base + query)).rawPayload.equals(webp.rawPayload) }).toEqual({
      query,
      isSame: true,
    });
  expect((await get(`${base}&width=100&junk=1`, 'image/png')).rawPayload.equals(png.rawPayload)).toBe(true);
});

test('the cover cache counts its keys and discards the least recently requested cover', () => {
  const cache = createCoverCache(1600);
  cache.set('k'.repeat(101), Buffer.alloc(0));
  expect(cache.size).toBe(0);
  for (let index = 0; index < 40; index++) cache.set(`${index}`.padStart(90, '0'), Buffer.alloc(10));
  expect([cache.size, cache.calculatedSize]).toEqual([16, 1600]);
  expect(cache.has('39'.padStart(90, '0'))).toBe(true);
  expect(cache.has('0'.repeat(90))).toBe(false);
});

test('every cover is different and contains drawings', () => {
  const covers = books.map((book) => renderCover({ ...book, title: '' }));
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
