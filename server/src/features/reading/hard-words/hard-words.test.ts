import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { findSpelling, settleCapital } from './spelling.service.ts';

const app = testApp();

test('hard words of a class are ranked by the share of its readings in the date range, with their books', async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  const own = await app.build.school({ ownPupils: ['Ada', 'Ben', 'Cleo'] });
  const pupils = own.ownClass.pupils.map(({ id }) => id);
  /** The whole of a book; “Bang!” is a sentence of its own in book 102. */
  const read = (day: number, played_words: string[], skipped_words: string[] = [], book_id = 102) => ({
    started_at: `2026-11-${day}T09:00:00Z`,
    book_id,
    last_page: book_id === 102 ? 9 : 12,
    words_attempted: 500,
    words_correct: 490,
    played_words,
    skipped_words,
  });
  for (const pupil of pupils)
    await app.build.reading(own, pupil, [
      read(13, ['twist', 'tap'], ['box']),
      read(16, ['Bang', 'said'], ['the', 'Said']),
      read(17, ['Bang'], ['SAID']),
      read(18, ['Bang', 'Meg', 'zebra']),
      ...[16, 17, 18].map((day) => read(day, ['said'], [], 103)),
    ]);
  await app.build.reading(own, pupils[0] ?? 0, [read(18, ['rock', 'flat'])]);
  await app.build.reading(own, pupils[1] ?? 0, [read(18, ['rock'])]);
  // Another class finds another word hard.
  await app.build.reading(
    own,
    own.otherClass.pupils[0]?.id ?? 0,
    [16, 17, 18].map((day) => read(day, ['twist'])),
  );
  const call = {
    params: { id: own.id, groupId: own.ownClass.id },
    query: { start_date: '2026-11-16', end_date: '2026-11-18' },
    token: own.teacher.token,
  };
  const { words } = (await app.call(hardWordCalls.listHardWords, call)).reply;
  // “rock” is hard for two pupils only, “twist” was before, and no book has “zebra”.
  expect(words.map(({ word, readers: pupilCount, readings, met }) => [word, pupilCount, readings, met])).toEqual([
    ['said', 3, 15, 20],
    ['bang', 3, 9, 11],
    ['Meg', 3, 3, 11],
  ]);
  expect(words[0]?.books.map(({ id }) => id)).toEqual([103, 102]);
  for (const output of ['sheet', 'flashcards', 'tick_list'] as const) {
    const { status, bytes } = await app.call(hardWordCalls.listHardWords, {
      ...call,
      query: { ...call.query, output, only: 'Bang,Meg' },
    });
    expect(status).toBe(200);
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    for (const word of ['bang', 'Meg']) expect(text).toContain(word);
    for (const name of ['Ada', 'Ben', 'Cleo', 'said']) expect(text).not.toContain(name);
  }
  const stranger = await app.build.staff(own, 'teacher');
  expect((await app.call(hardWordCalls.listHardWords, { ...call, token: stranger.token })).status).toBe(404);
});

test('words that the app sent count in a class’s list as it sent them', async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  const own = await app.build.school({ ownPupils: ['Ada', 'Ben', 'Cleo'] });
  const words = (hard: string) =>
    ['Meg', 'has', 'a', 'red', 'cart'].map((word) => ({
      word,
      outcome: word === hard ? ('asked' as const) : ('read' as const),
      milliseconds: 400,
    }));
  for (const [index, { id }] of own.ownClass.pupils.entries())
    await app.build.reading(
      own,
      id,
      [16, 17, 18].map((day) => ({
        started_at: `2026-11-${day}T09:00:00Z`,
        book_id: 102,
        last_page: 9,
        words_attempted: 500,
        words_correct: 490,
        played_words: ['cart'],
        skipped_words: [],
        words: words(day === 18 && index === 0 ? '' : 'cart'),
      })),
    );
  const { reply } = await app.call(hardWordCalls.listHardWords, {
    params: { id: own.id, groupId: own.ownClass.id },
    query: { start_date: '2026-11-16', end_date: '2026-11-18' },
    token: own.teacher.token,
  });
  expect(reply.words).toMatchObject([
    { word: 'cart', readers: 3, readings: 8, met: 9, books: [{ id: 102, title: 'Meg Can Fix It' }] },
  ]);
});

test.each([
  [['Britain', 'BRITAIN', 'Britain'], 'Britain'],
  [['Where', 'Where', 'where'], 'where'],
  [['iPad', 'ipad', 'iPad', 'Ipad'], 'iPad'],
  [["I'm"], "I'm"],
])('a word sent as %j is spelled %s', (forms, expected) => {
  const counts = Map.groupBy(forms, (form) => form);
  expect(findSpelling(new Map([...counts].map(([form, uses]) => [form, uses.length])))).toBe(expected);
});

test.each([
  ['Suddenly', ['It rained. Suddenly it stopped.', '“Suddenly?” said Gus.'], 'suddenly'],
  ['Nettlebrook', ['Nettlebrook is a village.', 'They live in Nettlebrook.'], 'Nettlebrook'],
  ['Britain', ['Snow fell on Britain, and on France.'], 'Britain'],
  ['Then', ['In Athens, Then', 'Thenceforth they ran.'], 'Then'],
  ['Over', ['Over it went! Over there?', 'In Overton'], 'over'],
  ['Gus', ['No one knows.'], 'Gus'],
  ['where', ['Where is it?'], 'where'],
])('the word %s keeps its capital only if a book has it within a sentence', (word, texts, expected) => {
  expect(settleCapital(word, texts)).toBe(expected);
});
