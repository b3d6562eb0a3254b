import { expect, test } from 'vitest';
import type { Config } from '../../../config.ts';
import { toBook } from './library.service.ts';
import type { LibraryRow } from './library.queries.ts';

const row = { id: 102, cover_version: 'a1', preview_version: 'b2', via_class: false, to_pupil: false } as LibraryRow;

test.each([
  ['on this server', undefined, '/content'],
  ['on the host of CONTENT_URL', 'https://content.example/books/', 'https://content.example/books'],
])('the URLs of a cover and a PDF preview contain the ID of the book %s', (_where, contentUrl, base) => {
  expect(toBook({ contentUrl } as Config, row)).toMatchObject({
    cover_image: `${base}/covers/102?v=a1`,
    preview: `${base}/previews/102.pdf?v=b2`,
  });
});

test('a book without a cover and preview has no URLs of files', () => {
  const book = toBook({ contentUrl: undefined } as Config, { ...row, cover_version: null, preview_version: null });
  expect(book).toMatchObject({ cover_image: null, preview: null });
});
