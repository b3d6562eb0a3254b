import { request } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { systemCalls } from '#contract/calls/system.ts';
import { UPLOAD_BYTES } from '#contract/limits.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { zip } from '../../../testing/zip.ts';

const app = testApp();
let school: BuiltSchool;

beforeAll(async () => {
  school = await app.build.school({ maxPupils: 999 });
});

const preview = (name: string, content: Uint8Array | string) =>
  app.call(pupilImportCalls.previewPupils, {
    params: { id: school.id },
    token: school.admin.token,
    file: { name, content },
  });

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationship = (type: string, target: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** An XLSX file whose only sheet contains this XML. */
const withSheet = (xml: string): Buffer =>
  zip({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
    '_rels/.rels': relationship('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Roll" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationship('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': xml,
  });

/** An OpenDocument spreadsheet with these rows on each of its sheets. */
const odsWith = (rows: string, sheets = 1): Buffer => {
  const tables = Array.from(
    { length: sheets },
    (_, index) => `<table:table table:name="Sheet ${index + 1}">${rows}</table:table>`,
  );
  const spaces = ['office', 'table', 'text'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  );
  return zip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml': '<manifest/>',
    'styles.xml': '<styles/>',
    'content.xml': `<?xml version="1.0"?><office:document-content ${spaces.join(' ')}><office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document-content>`,
  });
};
const odsCell = (text: string, columns = 1) =>
  `<table:table-cell office:value-type="string" table:number-columns-repeated="${columns}"><text:p>${text}</text:p></table:table-cell>`;
const odsRow = (cells: string, repeated = 1) =>
  `<table:table-row table:number-rows-repeated="${repeated}">${cells}</table:table-row>`;
const odsPupils = [odsRow(odsCell('Name')), odsRow(odsCell('Ada Byron'))].join('');

const head =
  '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>';
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;

describe('files that would need too many resources', () => {
  test('a small file that unpacks to more than 24 MB is rejected', async () => {
    const { status, error } = await preview(
      'wide.xlsx',
      withSheet(`${head}${' '.repeat(25 * 1024 * 1024)}</sheetData></worksheet>`),
    );
    expect({ status, code: error.code }).toEqual({ status: 422, code: 'file_too_complex' });
  });

  test('a file that declares an unpacked size of hundreds of megabytes is rejected', async () => {
    const { status, error } = await preview(
      'bomb.xlsx',
      withSheet(`${head}${' '.repeat(70 * 1024 * 1024)}</sheetData></worksheet>`),
    );
    expect({ status, code: error.code }).toEqual({ status: 422, code: 'file_too_complex' });
  });

  test('a file that declares a wrong unpacked size is rejected', async () => {
    const content = withSheet(`${head}${' '.repeat(20 * 1024 * 1024)}</sheetData></worksheet>`);
    // The declared size is small enough to look harmless.
    for (const [signature, offset] of [
      [0x02014b50, 24],
      [0x04034b50, 22],
    ] as const)
      for (let at = 0; at < content.length - 30; at += 1)
        if (content.readUInt32LE(at) === signature && content.readUInt32LE(at + offset) > 1_000_000)
          content.writeUInt32LE(2000, at + offset);
    const { status, error } = await preview('liar.xlsx', content);
    expect({ status, code: error.code }).toEqual({ status: 422, code: 'file_damaged' });
  });

  test('a file that is large only because of a distant cell or an empty range is read', async () => {
    const xml = `${head}<row r="1">${cell('A1', 'Name')}${cell('XFD1', 'far')}</row><row r="2">${cell('A2', 'Ada Byron')}</row><row r="1048576"></row></sheetData><mergeCells count="1"><mergeCell ref="A2:XFD1048576"/></mergeCells></worksheet>`;
    const { status, reply } = await preview(
      'wide.xlsx',
      withSheet(xml.replace('<sheetData>', '<dimension ref="A1:XFD1048576"/><sheetData>')),
    );
    expect({ status, rows: reply.rows?.map(({ name }) => name) }).toEqual({ status: 200, rows: ['Ada Byron'] });
  });

  test('an OpenDocument spreadsheet with a million empty cells after its content is read', async () => {
    const empty = odsRow('<table:table-cell table:number-columns-repeated="16384"/>', 1_048_574);
    const { status, reply } = await preview('empty.ods', odsWith(odsPupils + empty));
    expect({ status, rows: reply.rows?.map(({ name }) => name) }).toEqual({ status: 200, rows: ['Ada Byron'] });
  });

  test.each([
    ['a row is repeated a million times', odsPupils + odsRow(odsCell('Ben Lockyer'), 1_048_574)],
    ['a cell is repeated in all columns of a million rows', odsRow(odsCell('Ben Lockyer', 16_384), 1_048_576)],
    ['a cell has twenty million characters', odsPupils + odsRow(odsCell('x'.repeat(25 * 1024 * 1024)))],
  ])('an OpenDocument spreadsheet in which %s is rejected', async (_, rows) => {
    const { status, error } = await preview('bomb.ods', odsWith(rows));
    expect(status).toBe(422);
    expect(['file_too_complex', 'file_too_many_rows']).toContain(error.code);
  });

  test('a workbook of 200 sheets is read, and one of 201 is rejected', async () => {
    const { status, reply } = await preview('sheets.ods', odsWith(odsPupils, 200));
    expect({ status, sheets: reply.understood?.sheets.length }).toEqual({ status: 200, sheets: 200 });
    const tooMany = await preview('sheets.ods', odsWith(odsPupils, 201));
    expect({ status: tooMany.status, code: tooMany.error.code }).toEqual({ status: 422, code: 'file_too_complex' });
  });

  test('a file that takes too long to read is rejected, and the server answers other requests meanwhile', async () => {
    const row = (n: number) =>
      `<row r="${n}">${Array.from({ length: 60 }, (_, i) => cell(`${String.fromCharCode(65 + (i % 26))}${n}`, 'x&amp;y')).join('')}</row>`;
    const rows = Array.from({ length: 14_000 }, (_, index) => row(index + 1)).join('');
    const content = withSheet(`${head}${rows}</sheetData></worksheet>`);
    let answered = 0;
    const upload = { isOver: false };
    const outcome = preview('slow.xlsx', content).finally(() => (upload.isOver = true));
    while (!upload.isOver) {
      if ((await app.call(systemCalls.getHealth)).status === 200) answered += 1;
      // With the embedded database a call may end without a turn of the event loop, which the upload needs.
      await turn();
    }
    const { status, error } = await outcome;
    expect(status).toBe(422);
    expect(['file_too_complex', 'file_too_many_rows', 'file_not_understood']).toContain(error.code);
    // A server that read the file in its own thread would answer only a few, before and after it.
    expect(answered).toBeGreaterThan(10);
  });

  test('a list that takes too long to understand is rejected', async () => {
    const text = `${'Amara Whitcombe\tBen Lockyer\tCarys Penhallow\t'.repeat(20)}\n`.repeat(5000);
    const { status, error } = await app.call(pupilImportCalls.previewPupils, {
      params: { id: school.id },
      token: school.admin.token,
      body: { text },
    });
    expect({ status, code: error.code }).toEqual({ status: 422, code: 'file_too_complex' });
  });

  test('preview and import reject a file above 10 MB', async () => {
    const file = { name: 'large.csv', content: `Name\n${'Ada Baker\n'.repeat(UPLOAD_BYTES / 10)}` };
    for (const call of [pupilImportCalls.previewPupils, pupilImportCalls.createPupils]) {
      const { status, error } = await app.call(call, { params: { id: school.id }, token: school.admin.token, file });
      expect({ status, text: error.error }).toEqual({
        status: 413,
        text: 'The file is too large. The limit is 10 MB.',
      });
    }
  });
});

describe('many uploads at once', () => {
  /** 9 MB that are read completely before they prove not to be a workbook. All requests share the body. */
  const BOUNDARY = 'a-boundary';
  const body = Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="readers_file"; filename="large.csv"\r\n\r\nPK`),
    Buffer.alloc(9 * 1024 * 1024),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  const READ = 422;
  const send = (url: string, token: string, signal?: AbortSignal) =>
    new Promise<{ status: number; retryAfter: number }>((resolve, reject) => {
      const sent = request(`${url}/v1/enterprises/${school.id}/readers/preview`, {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
        ...(signal ? { signal } : {}),
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, retryAfter: Number(response.headers['retry-after'] ?? 0) });
      });
      sent.end(body);
    });
  let url: string;
  beforeAll(async () => {
    url = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  });

  test('of 60 concurrent uploads of one user, 3 are accepted and the others get 429 with Retry-After, and a colleague is served meanwhile', async () => {
    const own = Array.from({ length: 60 }, () => send(url, school.admin.token));
    expect((await send(url, school.teacher.token)).status).toBe(READ);
    const answers = await Promise.all(own);
    const rejected = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === READ)).toHaveLength(60 - rejected.length);
    expect(60 - rejected.length).toBeGreaterThanOrEqual(3);
    expect(rejected.length).toBeGreaterThan(40);
    expect(rejected.every(({ retryAfter }) => retryAfter > 0)).toBe(true);
    expect((await send(url, school.admin.token)).status).toBe(READ);
  });

  test('each of 60 concurrent uploads of 20 users gets its result or 429, and memory stays bounded', async () => {
    const staff = await Promise.all(Array.from({ length: 20 }, () => app.build.staff(school, 'teacher')));
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10);
    const answers = await Promise.all(staff.flatMap(({ token }) => [1, 2, 3].map(() => send(url, token))));
    clearInterval(watch);
    const rejected = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === READ)).toHaveLength(60 - rejected.length);
    expect(60 - rejected.length).toBeGreaterThanOrEqual(20);
    expect(rejected.length).toBeGreaterThan(10);
    expect(Math.round((most - before) / 1024 / 1024)).toBeLessThan(380);
  });

  test('a user who aborts their uploads can send others', async () => {
    const gone = new AbortController();
    const broken = [1, 2, 3].map(() => send(url, school.admin.token, gone.signal).catch(() => undefined));
    gone.abort();
    await Promise.all(broken);
    // Once the server has noticed that these connections are closed.
    await expect.poll(async () => (await send(url, school.admin.token)).status).toBe(READ);
  });
});

describe('the maximum of 5,000 rows', () => {
  const names = (count: number) =>
    Array.from(
      { length: count },
      (_, n) =>
        `Pupil ${[100, 10, 1].map((unit) => String.fromCharCode(97 + (Math.floor(n / unit) % 10))).join('')}${String.fromCharCode(97 + Math.floor(n / 1000))}`,
    );

  test('a file of 5,000 rows is parsed, and one of 5,001 is rejected', async () => {
    const good = await preview('full.csv', `Name\n${names(5000).join('\n')}\n`);
    expect(good.reply.counts).toEqual({ new: 5000, already: 0, moved: 0, archived: 0, duplicate: 0, wrong: 0 });
    const { status, error } = await preview('over.csv', `Name\n${names(5001).join('\n')}\n`);
    expect({ status, code: error.code, text: error.error }).toEqual({
      status: 422,
      code: 'file_too_many_rows',
      text: 'This file has more than 5,000 rows. Split it into smaller files and upload them one by one.',
    });
  });

  test('a JSON list of more than 5,000 rows is rejected', async () => {
    const pupils = names(5001).map((name) => ({ name }));
    const { status, error } = await app.call(pupilImportCalls.createPupils, {
      params: { id: school.id },
      token: school.admin.token,
      body: { readers: pupils },
    });
    expect({ status, errors: error.errors }).toEqual({
      status: 422,
      errors: { readers: ['Add at most 5,000 pupils at once.'] },
    });
  });
});
