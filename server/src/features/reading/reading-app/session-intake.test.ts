import { randomUUID } from 'node:crypto';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { readingAppCalls, BATCH_SIZE, type IntakeSession, intakeSession } from '#contract/calls/reading-app.ts';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseSessions } from './reading-app.public.ts';
import { testApp } from '../../../testing/app.ts';
import { makeSession, type BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
const NOW = '2026-11-18T12:00:00.000Z';
/** The number of pages of book 101, at level 1. */
const PAGES = 9;

let school: BuiltSchool;
let otherSchool: BuiltSchool;
beforeAll(async () => {
  ({ school, otherSchool } = await app.build.twoSchools());
});
beforeEach(() => app.setTime(NOW));

type Pupil = BuiltSchool['unplaced'];
const newPupil = async (): Promise<Pupil> =>
  (await app.build.pupils(school, school.ownClass.id, ['Robin Reader']))[0] ?? school.unplaced;
const session = (given: Partial<IntakeSession> = {}): IntakeSession =>
  makeSession({ started_at: '2026-11-18T09:00:00.000Z', ...given });
const handIn = (pupil: Pupil, sessions: readonly unknown[]) =>
  app.call(readingAppCalls.storeSessions, { token: pupil.token, body: { sessions: [...sessions] } });
const stored = (pupil: Pupil) =>
  app.database.kysely
    .selectFrom('reading_sessions')
    .selectAll()
    .where('pupil_id', '=', pupil.id)
    .orderBy('started_at')
    .orderBy('id')
    .execute();
const days = (pupil: Pupil) =>
  app.database.kysely
    .selectFrom('reading_days')
    .selectAll()
    .where('pupil_id', '=', pupil.id)
    .orderBy('day')
    .orderBy('reading_level')
    .execute();

test('a session is stored as sent, with the book’s current level', async () => {
  const pupil = await newPupil();
  const sent = session({
    last_page: PAGES,
    has_completed_book: true,
    heatmap: [0, -1, 50],
    played_words: ['cat', 'l’été'],
    skipped_words: ['"mat", \\ and {more}'],
  });
  const { status, reply } = await handIn(pupil, [sent]);
  expect({ status, reply }).toEqual({ status: 200, reply: { accepted: 1, duplicates: 0, rejected: [] } });
  const [row] = await stored(pupil);
  expect(row).toEqual({
    ...sent,
    school_id: school.id,
    pupil_id: pupil.id,
    reading_level: 1,
    has_words: false,
    clock: null,
    started_at: new Date('2026-11-18T09:00:00.000Z'),
    received_at: new Date(NOW),
  });
});

describe('a batch of sessions', () => {
  test('a batch sent twice counts once', async () => {
    const pupil = await newPupil();
    const batch = [session(), session({ book_id: 205 }), session()];
    expect((await handIn(pupil, batch)).reply).toEqual({ accepted: 3, duplicates: 0, rejected: [] });
    const before = [await stored(pupil), await days(pupil)];
    expect((await handIn(pupil, batch)).reply).toEqual({ accepted: 0, duplicates: 3, rejected: [] });
    expect((await handIn(pupil, [...batch, session()])).reply).toEqual({ accepted: 1, duplicates: 3, rejected: [] });
    expect((await stored(pupil)).filter((row) => before[0]?.some((old) => 'id' in old && old.id === row.id))).toEqual(
      before[0],
    );
    expect((await days(pupil)).map(({ reading_time }) => reading_time)).toEqual([360, 120]);
  });

  test('storing a batch takes two write transactions: the first counts the request, the second stores the sessions', async () => {
    const pupil = await newPupil();
    const writes = vi.spyOn(app.services.database.writes, 'run');
    expect((await handIn(pupil, [session()])).status).toBe(200);
    expect(writes).toHaveBeenCalledTimes(2);
    writes.mockRestore();
  });

  test('a batch with an ID twice counts the first session', async () => {
    const pupil = await newPupil();
    const id = randomUUID();
    const { reply } = await handIn(pupil, [
      session({ id, reading_time: 60 }),
      session({ id: id.toUpperCase(), reading_time: 90 }),
    ]);
    expect(reply).toEqual({ accepted: 1, duplicates: 1, rejected: [] });
    expect((await stored(pupil)).map(({ reading_time }) => reading_time)).toEqual([60]);
    expect((await days(pupil)).map(({ reading_time }) => reading_time)).toEqual([60]);
  });

  test(`a batch of ${BATCH_SIZE} with an invalid session in the middle keeps the other ${BATCH_SIZE - 1}`, async () => {
    const pupil = await newPupil();
    const batch: unknown[] = Array.from({ length: BATCH_SIZE }, (_, n) =>
      session({ started_at: new Date(Date.parse(NOW) - n * 60_000).toISOString() }),
    );
    const bad = { ...(batch[250] as IntakeSession), words_correct: 61 };
    batch[250] = bad;
    const { status, reply } = await handIn(pupil, batch);
    expect(status).toBe(200);
    expect(reply).toMatchObject({
      accepted: BATCH_SIZE - 1,
      duplicates: 0,
      rejected: [{ id: bad.id, error: expect.stringContaining('words_correct') }],
    });
    expect(await stored(pupil)).toHaveLength(BATCH_SIZE - 1);
  });

  test.each([[BATCH_SIZE + 1], [0]])('a batch of %i sessions is 422 and stores nothing', async (length) => {
    const pupil = await newPupil();
    const { status, error } = await handIn(
      pupil,
      Array.from({ length }, () => session()),
    );
    expect(status).toBe(422);
    expect(Object.keys(error.errors ?? {})).toEqual(['sessions']);
    expect(await stored(pupil)).toEqual([]);
  });

  test.each([[{}], [{ sessions: null }], [{ sessions: {} }], [[]], ['"text"'], ['7']])(
    'a batch that is %j is 422',
    async (payload) => {
      const { status } = await app.ask('POST', '/reader/sessions', { token: school.unplaced.token, payload });
      expect(status).toBe(422);
    },
  );

  test('a batch counts every session once: as accepted, duplicate or rejected', async () => {
    const pupil = await newPupil();
    const [good, unknownBook] = [session(), session({ book_id: 999_999 })];
    const { reply } = await handIn(pupil, [good, good, null, 'x', 7, [], {}, unknownBook, unknownBook, session()]);
    expect(reply.accepted).toBe(2);
    expect(reply.accepted + reply.duplicates + reply.rejected.length).toBe(10);
  });

  test('a batch sent twice concurrently counts once', async () => {
    const pupil = await newPupil();
    const batch = Array.from({ length: 20 }, (_, n) => session({ book_id: n % 2 ? 101 : 205 }));
    const answers = await Promise.all([handIn(pupil, batch), handIn(pupil, batch.toReversed()), handIn(pupil, batch)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, { reply }) => sum + reply.accepted, 0)).toBe(20);
    expect(answers.reduce((sum, { reply }) => sum + reply.duplicates, 0)).toBe(40);
    expect((await days(pupil)).reduce((sum, { reading_time }) => sum + reading_time, 0)).toBe(20 * 120);
  });

  test('two batches sent concurrently are both stored in full', async () => {
    const pupil = await newPupil();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => handIn(pupil, [session(), session({ book_id: 205 })])),
    );
    expect(answers.map(({ reply }) => reply.accepted)).toEqual([2, 2, 2, 2, 2, 2]);
    expect((await days(pupil)).map(({ reading_level, reading_time }) => [reading_level, reading_time])).toEqual([
      [1, 720],
      [5, 720],
    ]);
  });
});

describe('IDs of sessions', () => {
  test('a session with the ID of another pupil’s session is rejected, and that session stays', async () => {
    const [theirs, own] = [await newPupil(), await newPupil()];
    const first = session({ reading_time: 33 });
    await handIn(theirs, [first]);
    const { reply } = await handIn(own, [{ ...first, reading_time: 44 }, session()]);
    expect(reply).toEqual({ accepted: 1, duplicates: 0, rejected: [{ id: first.id, error: expect.any(String) }] });
    expect((await stored(theirs)).map(({ reading_time }) => reading_time)).toEqual([33]);
    expect((await days(theirs)).map(({ reading_time }) => reading_time)).toEqual([33]);
    expect((await days(own)).map(({ reading_time }) => reading_time)).toEqual([120]);
  });

  test('a session may have an ID that another school uses', async () => {
    const first = session();
    await handIn(otherSchool.unplaced, [first]);
    expect((await handIn(await newPupil(), [first])).reply).toMatchObject({ accepted: 1, rejected: [] });
  });
});

describe('rejected is', () => {
  test.each([
    ['an unknown book', { book_id: 999_999 }, 'book_id'],
    ['a page beyond the book', { last_page: PAGES + 1 }, 'last_page'],
    ['a heatmap longer than the book', { heatmap: Array.from({ length: PAGES + 1 }, () => 1) }, 'heatmap'],
    [
      'a completed book that does not end on its last page',
      { has_completed_book: true, last_page: PAGES - 1 },
      'last page',
    ],
    ['a start without an offset', { started_at: '2026-11-18T09:00:00' }, 'started_at'],
    ['a start on a day that does not exist', { started_at: '2026-02-30T09:00:00Z' }, 'started_at'],
    ['more words correct than attempted', { words_attempted: 5, words_correct: 6 }, 'words_correct'],
    ['a negative time', { reading_time: -1 }, 'reading_time'],
    ['half a second', { reading_time: 1.5 }, 'reading_time'],
    ['more than a day of reading', { reading_time: 86_401 }, 'reading_time'],
    ['an id that is no UUID', { id: 'abc' }, 'id'],
    ['a word that holds U+0000', { played_words: ['a\u0000b'] }, 'played_words'],
    ['a word that is no text', { played_words: [7] as unknown as string[] }, 'played_words'],
  ] satisfies [string, Partial<IntakeSession>, string][])(
    '%s, with the reason and without the rest of the batch',
    async (_, fault, reason) => {
      const pupil = await newPupil();
      const bad = session(fault);
      const { status, reply } = await handIn(pupil, [session(), bad, session()]);
      expect(status).toBe(200);
      expect(reply).toEqual({
        accepted: 2,
        duplicates: 0,
        rejected: [{ id: bad.id, error: expect.stringContaining(reason) }],
      });
      expect(await stored(pupil)).toHaveLength(2);
    },
  );
});

describe('starts of sessions', () => {
  test.each([
    ['2026-11-18T12:00:00.000Z', NOW],
    ['2026-11-18T12:00:00.001Z', NOW],
    ['2026-11-19T12:00:00.000Z', NOW],
    ['2026-11-18T17:30:00+05:30', NOW],
    ['2026-11-18T10:15:00.123456789Z', '2026-11-18T10:15:00.123Z'],
    ['2026-11-18T23:00:00+20:00', '2026-11-18T03:00:00.000Z'],
    ['2026-11-18T11:00:00-23:59', NOW],
    ['2018-01-01T00:00:00Z', '2018-01-01T00:00:00.000Z'],
    // The session of 120 seconds ends as it arrives.
    ['2017-12-31T23:59:59Z', '2026-11-18T11:58:00.000Z'],
    ['1970-01-01T00:00:00Z', '2026-11-18T11:58:00.000Z'],
    ['2026-11-19T12:00:00.001Z', '2026-11-18T11:58:00.000Z'],
    ['9999-12-31T23:59:59Z', '2026-11-18T11:58:00.000Z'],
  ])('a session that starts at %s is stored as starting at %s', async (started_at, expected) => {
    const pupil = await newPupil();
    expect((await handIn(pupil, [session({ started_at })])).reply).toMatchObject({ accepted: 1, rejected: [] });
    const [row] = await stored(pupil);
    expect(row?.started_at.toISOString()).toBe(expected);
  });
});

describe('latest reading of a pupil', () => {
  const lastRead = async (pupil: Pupil) =>
    (await app.call(pupilCalls.getPupil, { params: { id: school.id, readerId: pupil.id }, token: school.admin.token }))
      .reply.reader.last_read_at;

  test('a pupil’s latest reading is the start of the latest session, in any order of arrival', async () => {
    const pupil = await newPupil();
    expect(await lastRead(pupil)).toBeNull();
    await handIn(pupil, [
      session({ started_at: '2026-11-03T10:00:00Z' }),
      session({ started_at: '2026-11-05T10:00:00Z' }),
      session({ started_at: '2026-11-04T10:00:00Z' }),
    ]);
    expect(await lastRead(pupil)).toBe('2026-11-05T10:00:00.000Z');
    await handIn(pupil, [session({ started_at: '2026-10-01T10:00:00Z' })]);
    expect(await lastRead(pupil)).toBe('2026-11-05T10:00:00.000Z');
  });

  test('a batch without new sessions leaves the pupil’s latest reading unchanged', async () => {
    const pupil = await newPupil();
    await handIn(pupil, [session({ book_id: 999_999 })]);
    expect(await lastRead(pupil)).toBeNull();
  });

  test('each pupil has their own latest reading', async () => {
    const [pupil, neighbour] = [await newPupil(), await newPupil()];
    await handIn(pupil, [session()]);
    expect(await lastRead(neighbour)).toBeNull();
  });
});

describe('hostile batches of sessions', () => {
  const reply = async (sessions: readonly unknown[]) => {
    const { status, reply: answer, text } = await handIn(await newPupil(), sessions);
    return { status, rejected: answer.rejected ?? [], bytes: text.length };
  };

  test('a batch of 500 sessions full of wrong elements gets one short error each, in linear time', async () => {
    const wrong = Array.from({ length: BATCH_SIZE }, () => ({
      ...session(),
      heatmap: Array.from({ length: 2000 }, () => 'x'),
      played_words: Array.from({ length: 1000 }, () => 7),
    }));
    const { status, rejected, bytes } = await reply(wrong);
    expect({ status, rejected: rejected.length }).toEqual({ status: 200, rejected: BATCH_SIZE });
    expect(rejected.every(({ error }) => error.startsWith('heatmap.0: ') && error.length <= 200)).toBe(true);
    expect(bytes).toBeLessThan(100 * BATCH_SIZE + 200 * BATCH_SIZE);
  });

  test('a list in a session is validated only up to its first invalid element', () => {
    const wrong = { ...session(), heatmap: Array(2000).fill('x'), played_words: Array(1000).fill(7) };
    const { issues = [] } = intakeSession.safeParse(wrong).error ?? {};
    expect(issues.map(({ path }) => path.join('.'))).toEqual(['heatmap.0', 'played_words.0']);
  });

  test('a batch is validated without an open transaction, which would block other requests', async () => {
    const { writes } = app.database;
    let open = 0;
    const opened: number[] = [];
    const run = writes.run.bind(writes);
    const transactions = vi.spyOn(writes, 'run').mockImplementation((owner, work) => {
      open += 1;
      return run(owner, work).finally(() => (open -= 1));
    });
    const parse = intakeSession.safeParse.bind(intakeSession);
    const validations = vi.spyOn(intakeSession, 'safeParse').mockImplementation((given) => {
      opened.push(open);
      return parse(given);
    });
    const { reply: answer } = await handIn(await newPupil(), [session(), session()]);
    expect(transactions).toHaveBeenCalled();
    for (const spy of [transactions, validations]) spy.mockRestore();
    expect({ opened, accepted: answer.accepted }).toEqual({ opened: [0, 0], accepted: 2 });
  });

  test('a hostile batch cannot inflate the reply with long names, IDs or texts', async () => {
    const long = 'x'.repeat(100_000);
    const { rejected, bytes } = await reply([
      { ...session(), id: long },
      { ...session(), [long]: 1 },
      { ...session(), played_words: [long] },
      { ...session(), started_at: long },
      long,
    ]);
    expect(rejected).toHaveLength(4);
    expect(bytes).toBeLessThan(2000);
  });

  test('a batch over 8 MiB is 413', async () => {
    const { status } = await handIn(await newPupil(), [{ ...session(), note: 'x'.repeat(8 * 1024 * 1024) }]);
    expect(status).toBe(413);
  });

  test('validating a batch yields to other work between slices', async () => {
    const batch = Array.from({ length: BATCH_SIZE }, () => session());
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await parseSessions(batch).finally(() => (isDone = true));
    expect(turns).toBeGreaterThanOrEqual(20);
  });
});

test('500 sessions with every word of the longest book asked for and skipped fit into the limit of the body', async () => {
  const pupil = await newPupil();
  const { rows } = await sql<{ text: string }>`
    select string_agg(text, ' ') as text from book_pages group by book_id
    order by array_length(string_to_array(string_agg(text, ' '), ' '), 1) desc limit 1`.execute(app.database.kysely);
  const words = (rows[0]?.text ?? '').split(/\s+/);
  expect(words.length).toBeGreaterThan(900);
  const { status, reply } = await handIn(
    pupil,
    Array.from({ length: BATCH_SIZE }, () => session({ played_words: words, skipped_words: words })),
  );
  expect({ status, accepted: reply.accepted }).toEqual({ status: 200, accepted: BATCH_SIZE });
});

test('a later change of a book’s level does not change earlier sessions', async () => {
  const pupil = await newPupil();
  await handIn(pupil, [session({ book_id: 102, last_page: 1 })]);
  await sql`update books set reading_level = 2 where id = 102`.execute(app.database.kysely);
  await handIn(pupil, [session({ book_id: 102, last_page: 1 })]);
  await sql`update books set reading_level = 1 where id = 102`.execute(app.database.kysely);
  expect((await days(pupil)).map(({ reading_level, reading_time }) => [reading_level, reading_time])).toEqual([
    [1, 120],
    [2, 120],
  ]);
});
