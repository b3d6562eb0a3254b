import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { extractText, getDocumentProxy } from '../../testing/read-pdf.ts';

const app = testApp();

test('hard words are those that at least three pupils struggled with in the date range, with their books', async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  const own = await app.build.school({ ownPupils: ['Ada', 'Ben', 'Cleo'] });
  const [ada, ben, cleo] = own.ownClass.pupils.map(({ id }) => id);
  const read = (pupil: number | undefined, played_words: string[], skipped_words: string[], book_id = 101, day = 16) =>
    app.build.reading(own, pupil ?? 0, [
      { started_at: `2026-11-${day}T09:00:00Z`, played_words, skipped_words, book_id },
    ]);
  await read(ada, ['where', 'Where'], ['the', 'said'], 102);
  await read(ada, [], ['where'], 102, 17);
  await read(ben, ['WHERE', 'light'], ['the', 'said']);
  await read(cleo, ['light'], ['the', 'where', 'said']);
  await read(cleo, ['said'], [], 103, 17);
  // Before the days, of another class, and a third pupil for "light" in neither.
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
  ]);
  expect(words[1]?.books.map(({ id }) => id)).toEqual([101, 102]);
  for (const output of ['sheet', 'flashcards'] as const) {
    const { status, bytes } = await app.call(hardWordCalls.listHardWords, {
      ...call,
      query: { ...call.query, output },
    });
    expect(status).toBe(200);
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    expect(text).toContain('where');
    for (const name of ['Ada', 'Ben', 'Cleo', 'light']) expect(text).not.toContain(name);
  }
  const stranger = await app.build.staff(own, 'teacher');
  expect((await app.call(hardWordCalls.listHardWords, { ...call, token: stranger.token })).status).toBe(404);
});
