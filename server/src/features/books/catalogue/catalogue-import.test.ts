import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookCalls } from '#contract/calls/books.ts';
import { writePdf } from '../../../pdf/write-pdf.ts';
import { writeCsv } from '#contract/csv.ts';
import { writeXlsx } from '../../../spreadsheets/xlsx.ts';
import { testApp } from '../../../testing/app.ts';
import { importCatalogue } from './catalogue-import.service.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-catalogue-'));
const app = testApp({ DATA_DIR: join(folder, 'data') });
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  const plain = { create: { width: 600, height: 900, channels: 3 as const, background: '#a33' } };
  writeFileSync(join(folder, 'otters.jpg'), await sharp(plain).jpeg().toBuffer());
  const threePages = await writePdf({ title: 'Otters', product: 'Test' }, (doc) => {
    for (let page = 0; page < 3; page += 1) doc.addPage();
  });
  writeFileSync(join(folder, 'otters.pdf'), threePages);
  writeFileSync(join(folder, 'words.pdf'), 'These are only words.');
});

const HEAD = ['Title', 'Description', 'Level', 'Collection', 'Tags', 'Pages', 'Cover', 'Preview'];
const OTTERS = ['Otters', 'About otters.', '2', 'cornerstones', 'Nature, Animals', '', 'otters.jpg', 'otters.pdf'];
const PLAIN = ['C++ (2)?', 'A book without a cover or pages.', 'Level 6', 'Additional Titles', '', '', '', ''];

const importRows = (rows: string[][], name = 'list.csv') => {
  const content = name.endsWith('.csv')
    ? Buffer.from(writeCsv([HEAD, ...rows]))
    : writeXlsx({ name: 'Books', headers: HEAD, rows, widths: HEAD.map(() => 20) });
  return importCatalogue(app.services, name, content, folder);
};
const findBooks = async (search: string) => {
  const school = await app.build.school({ ownPupils: [], otherPupils: [] });
  const params = { id: school.id, groupId: school.ownClass.id };
  const { books } = (await app.call(bookCalls.listClassBooks, { token: school.admin.token, params, query: { search } }))
    .reply;
  return books;
};

test('importing a list adds books with covers and previews, a second time changes nothing, and a changed row updates its book', async () => {
  const none = { faults: [], created: 0, changed: 0, unchanged: 0 };
  expect(await importRows([OTTERS, PLAIN])).toEqual({ ...none, created: 2 });
  expect(await importRows([OTTERS, PLAIN], 'list.xlsx')).toEqual({ ...none, unchanged: 2 });
  expect(await importRows([OTTERS.with(1, 'All about otters.')])).toEqual({ ...none, changed: 1 });

  const [otters] = await findBooks('OTTER');
  expect(otters).toMatchObject({ reading_level: 2, pages_count: 3, description: 'All about otters.' });
  expect(otters?.tags.map(({ text }) => text)).toEqual(['Animals', 'Nature']);
  const cover = await app.fastify.inject({ url: `${otters?.cover_image}&height=400` });
  expect(await sharp(cover.rawPayload).metadata()).toMatchObject({ format: 'webp', height: 400 });
  const preview = await app.fastify.inject({ url: otters?.preview ?? '' });
  expect(preview.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');

  const [plain] = await findBooks('c++ (2)?');
  expect(plain).toMatchObject({ cover_image: null, preview: null, pages_count: 0, collection_key: 'default' });
  expect((await app.fastify.inject({ url: `/content/covers/${plain?.id}` })).statusCode).toBe(404);
});

test('a list with errors is rejected as a whole, and each error is reported with its row', async () => {
  const report = await importRows([
    ['Herons', 'About herons.', '2', 'cornerstones', '', '12', '', ''],
    ['HERONS', 'Again.', '3', 'Cornerstones', '', '12', '', ''],
    ['', '', '7', 'nowhere', '', 'many', 'missing.jpg', 'words.pdf'],
    ['Newts', 'About newts.', '1', 'edubrisk', '', '8', '../secret.jpg', ''],
    ['Toads', 'About toads.', '0', 'edubrisk', '', '8', 'words.pdf', ''],
  ]);
  expect(report).toMatchObject({ created: 0, changed: 0, unchanged: 0 });
  expect(report.faults.map(({ row, text }) => `${row} ${text}`)).toEqual([
    '3 “HERONS” is already in row 2.',
    '4 A title has 1 to 200 characters.',
    '4 The description is missing.',
    '4 The reading level must be from 1 to 6, and is 7.',
    '4 There is no collection nowhere.',
    '4 There is no cover missing.jpg.',
    '4 The preview words.pdf cannot be read. Use a PDF file.',
    '4 The number of pages must be a whole number up to 2000.',
    '5 The cover ../secret.jpg is not in the folder of the list.',
    '6 The reading level must be from 1 to 6, and is 0.',
    '6 The cover words.pdf cannot be read. Use a JPEG, PNG or WebP file.',
  ]);
  expect(await findBooks('heron')).toEqual([]);
  expect((await importRows([['The Wet Pup', 'Ours.', '1', 'edubrisk', '', '9', '', '']])).faults).toEqual([
    { row: 0, text: '“The Wet Pup” is one of the product’s own books.' },
  ]);
  await expect(importCatalogue(app.services, 'list.csv', Buffer.from('a,b\n1,2\n'), folder)).rejects.toThrow(
    'Missing: title, description, level, collection.',
  );
});

test('a list as a publisher sends it is read: titles above the columns, other names of columns, levels with decimals', async () => {
  const rows = [
    ['Autumn catalogue'],
    [],
    ['Book title', 'Blurb', 'Reading\u00A0level', 'Series', 'Number of pages'],
    ['\u00A0Voles', 'About voles.', '2.0', 'cornerstones', '12'],
    ['Stoats', 'About stoats.', '2.5', 'cornerstones', '12'],
  ];
  const list = (count: number) =>
    importCatalogue(app.services, 'list.csv', Buffer.from(writeCsv(rows.slice(0, count))), folder);
  expect((await list(5)).faults).toEqual([{ row: 5, text: 'The reading level must be from 1 to 6, and is 2.5.' }]);
  expect(await list(4)).toMatchObject({ faults: [], created: 1 });
  expect(await findBooks('voles')).toMatchObject([{ title: 'Voles', reading_level: 2, pages_count: 12 }]);
});

test('the error about columns names the row that has most of them, and what is missing there', async () => {
  const content = writeCsv([['Spring'], ['Title', 'Blurb', 'Publisher'], ['Voles', 'About voles.', 'Us']]);
  await expect(importCatalogue(app.services, 'list.csv', Buffer.from(content), folder)).rejects.toThrow(
    /^Row 2 of list\.csv must name its columns: .* Missing: level, collection\.$/,
  );
});
