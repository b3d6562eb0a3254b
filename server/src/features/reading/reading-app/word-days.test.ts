import type { HeardWord } from '#contract/calls/reading-app.ts';
import { type IntakeSession, readingAppCalls } from '#contract/calls/reading-app.ts';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, makeSession } from '../../../testing/builder.ts';
import { countHeardWords, MAX_FORMS_A_DAY, sumCounts } from './word-days.service.ts';

const app = testApp();
let school: BuiltSchool;
beforeAll(async () => {
  school = await app.build.school();
});
beforeEach(() => app.setTime('2026-11-18T12:00:00.000Z'));

type Pupil = BuiltSchool['unplaced'];
const newPupil = async (): Promise<Pupil> =>
  (await app.build.pupils(school, school.ownClass.id, ['Robin Reader']))[0] ?? school.unplaced;
const heard = (word: string, outcome: HeardWord['outcome'] = 'read', milliseconds = 300): HeardWord => ({
  word,
  outcome,
  milliseconds,
});
const session = (words: unknown, given: Partial<IntakeSession> = {}): object => ({
  ...makeSession({ started_at: '2026-11-18T09:00:00.000Z', ...given }),
  words,
});
const handIn = (pupil: Pupil, sessions: readonly unknown[]) =>
  app.call(readingAppCalls.storeSessions, { token: pupil.token, body: { sessions: [...sessions] } });
/** The counts of a pupil's words by day: met, hard, heard and milliseconds. */
async function stored(pupil: Pupil): Promise<Record<string, Record<string, number[]>>> {
  const rows = await app.database.kysely
    .selectFrom('word_days')
    .selectAll()
    .where('pupil_id', '=', pupil.id)
    .orderBy('day')
    .execute();
  return Object.fromEntries(
    rows.map(({ day, words, met, hard, heard: times, milliseconds }) => [
      day,
      Object.fromEntries(
        words.map((word, index) => [word, [met[index]!, hard[index]!, times[index]!, milliseconds[index]!]]),
      ),
    ]),
  );
}

describe('words that the app sends', () => {
  test('the counts of a day are stored by form, and a word counts once per session', async () => {
    const pupil = await newPupil();
    const { reply } = await handIn(pupil, [
      session([heard('Pip'), heard('is'), heard('pup.', 'asked', 900), heard('pup', 'read', 100)]),
      session([heard('“Pip'), heard('pup', 'skipped', 50)]),
      session([heard('pup')], { started_at: '2026-11-17T09:00:00.000Z' }),
      session(undefined),
    ]);
    expect(reply).toEqual({ accepted: 4, duplicates: 0, rejected: [] });
    expect(await stored(pupil)).toEqual({
      '2026-11-17': { pup: [1, 0, 1, 300] },
      '2026-11-18': { Pip: [2, 0, 2, 600], is: [1, 0, 1, 300], pup: [2, 2, 3, 1050] },
    });
  });

  test('later sessions of a day are added, and one that is sent twice counts once', async () => {
    const pupil = await newPupil();
    const first = session([heard('Pip', 'asked')]);
    await handIn(pupil, [first]);
    await handIn(pupil, [first, session([heard('Pip'), heard('sun')])]);
    expect(await stored(pupil)).toEqual({ '2026-11-18': { Pip: [2, 1, 2, 600], sun: [1, 0, 1, 300] } });
  });

  test('two batches of a day at the same time are both counted', async () => {
    const pupil = await newPupil();
    await Promise.all(Array.from({ length: 5 }, () => handIn(pupil, [session([heard('Pip', 'skipped')])])));
    expect(await stored(pupil)).toEqual({ '2026-11-18': { Pip: [5, 5, 5, 1500] } });
  });

  test('a session without any word has no counts', async () => {
    const pupil = await newPupil();
    await handIn(pupil, [session([]), session([heard('—'), heard('!')])]);
    expect(await stored(pupil)).toEqual({});
  });

  test.each([
    ['a text', 'Pip', 'words'],
    ['too many words', Array.from({ length: 5001 }, () => heard('Pip')), '5000'],
    ['an unknown outcome', [{ ...heard('Pip'), outcome: 'guessed' }], 'words.0: An outcome'],
    ['an empty word', [heard('  ')], 'words.0: A word'],
    ['a word without a time', [{ word: 'Pip', outcome: 'read' }], 'words.0: milliseconds'],
    ['a negative time', [heard('Pip', 'read', -1)], 'words.0: milliseconds'],
    ['a word with U+0000', [heard('P\0p')], 'words.0: A word'],
  ])('a session with %s as its words is rejected, without the rest of the batch', async (_, words, reason) => {
    const pupil = await newPupil();
    const { reply } = await handIn(pupil, [session(words), session([heard('Pip')])]);
    expect(reply).toMatchObject({ accepted: 1, rejected: [{ error: expect.stringContaining(reason) }] });
    expect(await stored(pupil)).toEqual({ '2026-11-18': { Pip: [1, 0, 1, 300] } });
  });
});

test('a child who meets more words in a day than anyone reads is counted up to a limit', () => {
  const counts = countHeardWords(Array.from({ length: 5000 }, (_, index) => heard(`word${index}`)));
  const sum = sumCounts([counts, counts]);
  expect(sum.size).toBe(MAX_FORMS_A_DAY);
  expect(sum.get('word0')).toMatchObject({ met: 2, heard: 2 });
});

test('sums of counts do not depend on the order of words and sessions', () => {
  const anyHeard = fc.record({
    word: fc.constantFrom('Pip', 'pip', 'sun.', 'twenty one', '…'),
    outcome: fc.constantFrom('read' as const, 'asked' as const, 'skipped' as const),
    milliseconds: fc.nat(600_000),
  });
  fc.assert(
    fc.property(fc.array(fc.array(anyHeard, { maxLength: 8 }), { maxLength: 6 }), (sessions) => {
      const inOrder = sumCounts(sessions.map(countHeardWords));
      const backwards = sumCounts(sessions.toReversed().map((words) => countHeardWords(words.toReversed())));
      expect(Object.fromEntries(backwards)).toEqual(Object.fromEntries(inOrder));
      for (const { met, hard, heard: times } of inOrder.values()) {
        expect(hard).toBeLessThanOrEqual(met);
        expect(met).toBeLessThanOrEqual(Math.min(times, sessions.length));
      }
      expect(inOrder.get('twenty')).toEqual(inOrder.get('one'));
    }),
  );
});
