import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { findSpelling, settleCapital } from './hard-words.service.ts';

const app = testApp();

test('hard words are those that at least three pupils struggled with in the date range, with their books', async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  const own = await app.build.school({ ownPupils: ['Ada', 'Ben', 'Cleo'] });
  const [ada, ben, cleo] = own.ownClass.pupils.map(({ id }) => id);
  const read = (pupil: number | undefined, played_words: string[], skipped_words: string[], book_id = 101, day = 16) =>
    app.build.reading(own, pupil ?? 0, [
      { started_at: `2026-11-${day}T09:00:00Z`, played_words, skipped_words, book_id },
    ]);
  // Book 102 has “Bang!” as a sentence of its own only.
  await read(ada, ['where', 'Where', 'Bang'], ['the', 'said', 'Nettlebrook'], 102);
  await read(ada, [], ['where'], 102, 17);
  await read(ben, ['WHERE', 'light', 'NETTLEBROOK', 'Said'], ['the', 'said']);
  await read(cleo, ['light', 'Nettlebrook'], ['the', 'where', 'Said']);
  await read(cleo, ['Said'], [], 103, 17);
  for (const pupil of [ben, cleo]) await read(pupil, ['Bang'], [], 102, 17);
  // Before the range, in another class, and a third pupil for "light" in neither.
  await read(ada, ['light'], [], 101, 13);
  await app.build.reading(own, own.otherClass.pupils[0]?.id ?? 0, [
    { started_at: '2026-11-16T09:00:00Z', played_words: ['light'] },
  ]);
  const call = {
    params: { id: own.id, groupId: own.ownClass.id },
    query: { start_date: '2026-11-16', end_date: '2026-11-18' },
    token: own.teacher.token,
  };
  const { words } = (await app.call(hardWordCalls.listHardWords, call)).reply;
  expect(words.map(({ word, readers: pupilCount, readings }) => [word, pupilCount, readings])).toEqual([
    ['said', 3, 4],
    ['where', 3, 4],
    ['bang', 3, 3],
    ['Nettlebrook', 3, 3],
  ]);
  expect(words.map(({ is_common }) => is_common)).toEqual([true, true, false, false]);
  expect(words[1]?.books.map(({ id }) => id)).toEqual([101, 102]);
  for (const output of ['sheet', 'flashcards', 'tick_list'] as const) {
    const { status, bytes } = await app.call(hardWordCalls.listHardWords, {
      ...call,
      query: { ...call.query, output, leave_out: 'Said' },
    });
    expect(status).toBe(200);
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    for (const word of ['where', 'Nettlebrook']) expect(text).toContain(word);
    for (const name of ['Ada', 'Ben', 'Cleo', 'light', 'said']) expect(text).not.toContain(name);
  }
  const uncommon = await app.call(hardWordCalls.listHardWords, {
    ...call,
    query: { ...call.query, output: 'sheet', common: 'false' },
  });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(uncommon.bytes)), { mergePages: true });
  expect(text).toContain('Nettlebrook');
  for (const word of ['where', 'said']) expect(text).not.toContain(word);
  const stranger = await app.build.staff(own, 'teacher');
  expect((await app.call(hardWordCalls.listHardWords, { ...call, token: stranger.token })).status).toBe(404);
});

test.each([
  [['Britain', 'BRITAIN', 'Britain'], 'Britain'],
  [['Where', 'Where', 'where'], 'where'],
  [['iPad', 'ipad', 'iPad', 'Ipad'], 'iPad'],
  [["I'm"], "I'm"],
])('a word sent as %j is spelled %s', (forms, expected) => {
  expect(findSpelling(forms)).toBe(expected);
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
