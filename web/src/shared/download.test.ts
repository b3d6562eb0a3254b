import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileName } from './download.ts';

test.each([
  ["attachment; filename*=UTF-8''oak-row-2026-11-22.zip", 'oak-row-2026-11-22.zip'],
  ["attachment; filename*=UTF-8''Mrs%20O'Brien%3B%20%C3%89mile.pdf", "Mrs O'Brien; Émile.pdf"],
  ['attachment; filename="class words.pdf"', 'class words.pdf'],
  ['attachment; filename=words.pdf; size=3', 'words.pdf'],
  ['attachment; filename="plain.pdf"; filename*=UTF-8\'\'caf%C3%A9.pdf', 'café.pdf'],
  ['attachment; filename="plain.pdf"; filename*=UTF-8\'\'%E9.pdf', 'plain.pdf'],
  ["attachment; filename*=UTF-8''%E9.pdf", undefined],
  ['attachment', undefined],
  ['', undefined],
  [null, undefined],
])('the name in %j is %j', (disposition, name) => {
  expect(fileName(disposition)).toBe(name);
});

test('every file name is read as the server writes it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
      expect(fileName(`attachment; filename*=UTF-8''${encodeURIComponent(name)}`)).toBe(name);
    }),
  );
});
