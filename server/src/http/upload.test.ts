import type { Upload } from '#contract/call.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { testSettings } from '../testing/test-settings.ts';
import { createServer } from './server.ts';
import { readUpload } from './upload.ts';

const upload: Upload = { field: 'people_file', maxBytes: 1024 * 1024 };
let server: Awaited<ReturnType<typeof createServer>>;

beforeAll(async () => {
  server = await createServer(readConfig(testSettings), []);
  server.post('/with-file', (request) =>
    readUpload(request, upload).then(({ file, fields }) => ({ name: file?.name, size: file?.content.length, fields })),
  );
  server.post('/without-file', (request) => readUpload(request, undefined));
});
afterAll(() => server.close());

async function send(url: string, parts: [string, string | Blob, string?][], cut = 0) {
  const form = new FormData();
  for (const [name, value, file] of parts)
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, file);
  const encoded = new Response(form);
  const payload = Buffer.from(await encoded.arrayBuffer());
  const response = await server.inject({
    method: 'POST',
    url,
    payload: payload.subarray(0, payload.length - cut),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  });
  return { status: response.statusCode, body: response.json() };
}

describe('an upload', () => {
  test('an upload contains the whole file and the other fields, with lists as lists', async () => {
    const { body } = await send('/with-file', [
      ['email[]', 'a@b.example'],
      ['email[]', 'c@d.example'],
      ['name[]', 'One'],
      ['note', 'hello'],
      ['people_file', new Blob([Buffer.alloc(1000, 7)]), 'folder/pupils.csv'],
    ]);
    expect(body).toEqual({
      name: 'pupils.csv',
      size: 1000,
      fields: { email: ['a@b.example', 'c@d.example'], name: ['One'], note: 'hello' },
    });
  });

  test('an upload may contain no file', async () => {
    expect((await send('/with-file', [['note', 'hello']])).body).toEqual({ fields: { note: 'hello' } });
  });

  test('an upload is rejected for its size, before and while it is read', async () => {
    for (const size of [upload.maxBytes + 1, upload.maxBytes + 1024 * 1024]) {
      const { status, body } = await send('/with-file', [
        ['people_file', new Blob([Buffer.alloc(size)]), 'pupils.csv'],
      ]);
      expect(status).toBe(413);
      expect(body).toEqual({
        error: 'The file is too large. The limit is 1 MB.',
        error_type: 'bad_request',
        errors: { people_file: ['The file is too large. The limit is 1 MB.'] },
      });
    }
    expect(
      (await send('/with-file', [['people_file', new Blob([Buffer.alloc(upload.maxBytes)]), 'pupils.csv']])).body.size,
    ).toBe(upload.maxBytes);
  });

  test('an upload that is cut off is answered with 400, and one of an unsupported type with 415', async () => {
    const file: [string, Blob, string] = ['people_file', new Blob([Buffer.alloc(5000)]), 'pupils.csv'];
    expect((await send('/with-file', [file], 2000)).status).toBe(400);
    expect((await send('/without-file', [file])).status).toBe(415);
  });
});
