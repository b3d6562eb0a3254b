import { expect, test } from 'vitest';
import { listZip, unzip } from './zip.ts';
import { streamZip, type StreamedFile } from './zip-stream.ts';

const NOW = new Date('2026-11-18T12:00:00Z');

const pack = async (files: Iterable<StreamedFile> | AsyncIterable<StreamedFile>) => {
  const pieces: Buffer[] = [];
  for await (const piece of streamZip(files, NOW)) pieces.push(piece);
  return Buffer.concat(pieces);
};

test('a ZIP archive that is streamed can be read by other programs', async () => {
  const long = 'a line of text\n'.repeat(20_000);
  const archive = await pack([
    { name: 'Über/léa.txt', content: ['Zoë ', Buffer.from('reads')] },
    { name: 'empty.csv', content: [] },
    { name: 'long.txt', content: [long] },
  ]);
  const entries = listZip(archive) ?? [];
  expect(entries.map(({ name, size }) => [name, size])).toEqual([
    ['Über/léa.txt', 10],
    ['empty.csv', 0],
    ['long.txt', long.length],
  ]);
  expect(entries.map((entry) => unzip(archive, entry)?.toString())).toEqual(['Zoë reads', '', long]);
  expect(archive.length).toBeLessThan(long.length / 50);
});

test('a streamed ZIP archive begins before the last piece of the content is read', async () => {
  let read = 0;
  const content = (function* () {
    while (read < 200) {
      read += 1;
      yield Buffer.from(Array.from({ length: 5000 }, () => Math.random()).join());
    }
  })();
  const archive = streamZip([{ name: 'a.txt', content }], NOW);
  await archive.next();
  await archive.next();
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(20);
  await archive.return(undefined);
});

test('an error in the content ends a streamed ZIP archive', async () => {
  const content = (function* () {
    yield 'a';
    throw new Error('gone');
  })();
  await expect(pack([{ name: 'a.txt', content }])).rejects.toThrow('gone');
});
