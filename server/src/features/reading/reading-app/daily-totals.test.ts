import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { sql } from 'kysely';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, makeSession } from '../../../testing/builder.ts';

const app = testApp();
const ZONES = ['Europe/London', 'America/New_York', 'Pacific/Apia'];
let schools: BuiltSchool[];

beforeAll(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  schools = await Promise.all(ZONES.map((timeZone) => app.build.school({ timeZone })));
});

interface Day {
  day: string;
  reading_level: number;
  reading_time: number;
  words_attempted: number;
  words_correct: number;
}

const daysOf = (pupilId: number) =>
  app.database.kysely
    .selectFrom('reading_days')
    .select(['day', 'reading_level', 'reading_time', 'words_attempted', 'words_correct'])
    .where('pupil_id', '=', pupilId)
    .orderBy('day')
    .orderBy('reading_level')
    .execute();

/** The day of a moment in a time zone, independently computed with `Intl`. */
const dayIn = (zone: string, at: Date) => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
};

/** The school's totals, and their expected values from the stored sessions. */
async function schoolTotals(schoolId: number, zone: string): Promise<{ kept: Day[]; expected: Day[] }> {
  const kept = await app.database.kysely
    .selectFrom('school_reading_days')
    .select(['day', 'reading_level', 'reading_time', 'words_attempted', 'words_correct'])
    .where('school_id', '=', schoolId)
    .orderBy('day')
    .orderBy('reading_level')
    .execute();
  return { kept, expected: await sumsOf({ school_id: schoolId }, zone) };
}

/** The expected totals from the stored sessions of a pupil, or of a school without archived pupils. */
async function sumsOf(whose: { pupil_id: number } | { school_id: number }, zone: string): Promise<Day[]> {
  const sessions = await app.database.kysely
    .selectFrom('reading_sessions')
    .selectAll()
    .where((where) => where.and(whose))
    .$if('school_id' in whose, (from) =>
      from.where(
        'pupil_id',
        'not in',
        sql<number>`(select id from pupils where school_id = reading_sessions.school_id and archived_at is not null)`,
      ),
    )
    .execute();
  const sums = new Map<string, Day>();
  for (const session of sessions) {
    if (session.reading_time < 30 || session.words_attempted === 0) continue;
    const day = dayIn(zone, session.started_at);
    const key = `${day} ${session.reading_level}`;
    const sum = sums.get(key) ?? {
      day,
      reading_level: session.reading_level,
      reading_time: 0,
      words_attempted: 0,
      words_correct: 0,
    };
    sum.reading_time += session.reading_time;
    sum.words_attempted += session.words_attempted;
    sum.words_correct += session.words_correct;
    sums.set(key, sum);
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

/** When the latest session began that is reading; null without any. */
async function latestReading(pupilId: number): Promise<Date | null> {
  const sessions = await app.database.kysely
    .selectFrom('reading_sessions')
    .selectAll()
    .where('pupil_id', '=', pupilId)
    .execute();
  const times = sessions
    .filter(({ reading_time, words_attempted }) => reading_time >= 30 && words_attempted > 0)
    .map(({ started_at }) => started_at.getTime());
  return times.length === 0 ? null : new Date(Math.max(...times));
}

/** Day, book and level of each completed book: from the stored sessions, and as stored. */
async function completionsOf(pupilId: number, zone: string): Promise<{ expected: string[]; kept: string[] }> {
  const sessions = await app.database.kysely
    .selectFrom('reading_sessions')
    .selectAll()
    .where('pupil_id', '=', pupilId)
    .where('has_completed_book', '=', true)
    .execute();
  const rows = await app.database.kysely
    .selectFrom('book_completions')
    .selectAll()
    .where('pupil_id', '=', pupilId)
    .execute();
  return {
    expected: [
      ...new Set(
        sessions.map(
          ({ started_at, book_id, reading_level }) => `${dayIn(zone, started_at)} ${book_id} ${reading_level}`,
        ),
      ),
    ].sort(),
    kept: rows.map(({ day, book_id, reading_level }) => `${day} ${book_id} ${reading_level}`).sort(),
  };
}

/** Moments within two hours of a day's beginning, its end, or a clock change. */
const EDGES = [
  '2026-03-29T01:00:00Z',
  '2026-10-25T01:00:00Z',
  '2025-10-26T00:00:00Z',
  '2026-03-28T00:00:00Z',
  '2026-07-14T23:00:00Z',
  '2026-03-08T07:00:00Z',
  '2026-11-01T06:00:00Z',
  '2024-02-29T00:00:00Z',
  '2025-12-31T23:59:59Z',
  '2026-11-18T05:00:00Z',
];
const start = fc
  .tuple(fc.constantFrom(...EDGES), fc.integer({ min: -7200, max: 7200 }))
  .map(([edge, seconds]) => new Date(Date.parse(edge) + seconds * 1000).toISOString());
/** Books at levels 1, 1 and 5, with their numbers of pages. */
const book = fc.constantFrom([101, 9], [102, 9], [205, 12]);
const anySession = fc
  .record({
    id: fc.uuid(),
    book,
    start,
    // Often at the limits of what counts as reading.
    time: fc.oneof(fc.constantFrom(0, 29, 30, 31), fc.nat(3000)),
    attempted: fc.oneof(fc.constantFrom(0, 1), fc.nat(400)),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    completed: fc.boolean(),
  })
  .map(({ id, book: [book_id = 0, pages = 0], start: started_at, time, attempted, share, completed }) =>
    makeSession({
      id,
      book_id,
      started_at,
      reading_time: time,
      words_attempted: attempted,
      words_correct: Math.floor(attempted * share),
      has_completed_book: completed,
      last_page: completed ? pages : 1,
      heatmap: [],
      played_words: [],
      skipped_words: [],
    }),
  );
/** Some batches; a later one repeats some of the sessions. */
const batches = fc
  .array(fc.array(anySession, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 })
  .chain((all) => fc.shuffledSubarray(all.flat()).map((again) => (again.length > 0 ? [...all, again] : all)));

describe.each(ZONES.map((zone, index) => [zone, index] as const))('in %s', (zone, index) => {
  test('daily totals equal the sums of the stored sessions that are reading, in any order and with repeats', async () => {
    const school = schools[index] as BuiltSchool;
    await fc.assert(
      fc.asyncProperty(batches, async (all) => {
        const [pupil] = await app.build.pupils(school, school.ownClass.id, ['Robin Reader']);
        if (!pupil) throw new Error('No pupil was built.');
        for (const sessions of all)
          expect(
            (await app.call(readingAppCalls.storeSessions, { token: pupil.token, body: { sessions } })).reply.rejected,
          ).toEqual([]);
        const days = await daysOf(pupil.id);
        expect(days).toEqual(await sumsOf({ pupil_id: pupil.id }, zone));
        const ofSchool = await schoolTotals(school.id, zone);
        expect(ofSchool.kept).toEqual(ofSchool.expected);
        const { expected, kept } = await completionsOf(pupil.id, zone);
        expect(kept).toEqual(expected);
        const { last_read_at: lastRead } = await app.database.kysely
          .selectFrom('pupils')
          .select('last_read_at')
          .where('id', '=', pupil.id)
          .executeTakeFirstOrThrow();
        expect(lastRead).toEqual(await latestReading(pupil.id));
      }),
      { numRuns: 15 },
    );
  });
});

test.each([
  // Clocks in London go forward at 01:00 on 29 March and back at 02:00 on 25 October 2026.
  ['2026-03-28T23:59:59.999Z', '2026-03-28'],
  ['2026-03-29T00:00:00.000Z', '2026-03-29'],
  ['2026-03-29T22:59:59.999Z', '2026-03-29'],
  ['2026-03-29T23:00:00.000Z', '2026-03-30'],
  ['2026-10-24T22:59:59.999Z', '2026-10-24'],
  ['2026-10-24T23:00:00.000Z', '2026-10-25'],
  ['2026-10-25T23:59:59.999Z', '2026-10-25'],
  ['2026-10-26T00:00:00.000Z', '2026-10-26'],
  ['2026-06-30T23:30:00+01:00', '2026-06-30'],
  ['2026-07-01T00:30:00+02:00', '2026-06-30'],
])('a session at %s counts in London on %s', async (started_at, day) => {
  const school = schools[0] as BuiltSchool;
  const [pupil] = await app.build.pupils(school, null, ['Robin Reader']);
  await app.build.reading(school, pupil?.id ?? 0, [{ started_at }]);
  expect((await daysOf(pupil?.id ?? 0)).map((row) => row.day)).toEqual([day]);
});

test('a school east of London is a day ahead of one in London', async () => {
  const started_at = '2026-11-17T22:00:00Z';
  const days = await Promise.all(
    [schools[0], schools[2]].map(async (school) => {
      await app.build.reading(school as BuiltSchool, school?.unplaced.id ?? 0, [{ started_at }]);
      return (await daysOf(school?.unplaced.id ?? 0))[0]?.day;
    }),
  );
  expect(days).toEqual(['2026-11-17', '2026-11-18']);
});

test('daily totals are written in the transaction of the sessions: if either fails, neither is stored', async () => {
  const school = schools[0] as BuiltSchool;
  const [pupil] = await app.build.pupils(school, null, ['Robin Reader']);
  await sql`alter table reading_days add constraint fails check (reading_time <> 4242) not valid`.execute(
    app.database.kysely,
  );
  const { status } = await app.call(readingAppCalls.storeSessions, {
    token: pupil?.token ?? '',
    body: { sessions: [makeSession({ started_at: '2026-11-18T09:00:00Z', reading_time: 4242 })] },
  });
  await sql`alter table reading_days drop constraint fails`.execute(app.database.kysely);
  expect(status).toBe(500);
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from reading_sessions where pupil_id = ${pupil?.id ?? 0}`.execute(app.database.kysely);
  expect(rows).toEqual([{ n: 0 }]);
});

describe('daily totals of a school', () => {
  const zone = 'Europe/London';
  const remove = (school: BuiltSchool, pupilId: number) =>
    app.call(classMembershipCalls.deletePupil, { params: { readerId: pupilId }, token: school.admin.token });

  test('a school’s daily totals equal the sums of the remaining pupils’ sessions, with deletions and moves between batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.nat(3),
            fc.array(anySession, { minLength: 1, maxLength: 8 }),
            fc.constantFrom('stay', 'move', 'delete'),
          ),
          {
            minLength: 2,
            maxLength: 8,
          },
        ),
        async (steps) => {
          const school = await app.build.school({ ownPupils: ['Ada', 'Ben', 'Cleo', 'Dot'], otherPupils: [] });
          const deleted = new Set<number>();
          for (const [index, sessions, fate] of steps) {
            const pupil = school.ownClass.pupils[index];
            if (!pupil || deleted.has(index)) continue;
            await app.call(readingAppCalls.storeSessions, { token: pupil.token, body: { sessions } });
            if (fate === 'move') await app.build.move(school, pupil.id, school.otherClass.id);
            if (fate === 'delete') {
              expect((await remove(school, pupil.id)).status).toBe(200);
              deleted.add(index);
            }
          }
          const { kept, expected } = await schoolTotals(school.id, zone);
          expect(kept).toEqual(expected);
        },
      ),
      { numRuns: 12 },
    );
  });

  test('a school’s daily totals stay correct with concurrent batches on the same days, while pupils are deleted', async () => {
    const school = await app.build.school({ ownPupils: [], otherPupils: [] });
    const names = Array.from({ length: 12 }, (_, n) => `Pupil ${String.fromCharCode(65 + n)}`);
    const pupils = await app.build.pupils(school, null, names);
    const days = Array.from({ length: 20 }, (_, day) => `2026-10-${String(day + 1).padStart(2, '0')}T09:00:00Z`);
    const batch = (index: number) => {
      // Each sends the same days and levels, in a different order.
      const shift = (index * 7) % days.length;
      return [...days.slice(shift), ...days.slice(0, shift)].map((started_at, n) =>
        makeSession({ book_id: n % 2 ? 101 : 205, started_at, last_page: 1, has_completed_book: false, heatmap: [] }),
      );
    };
    const statuses = await Promise.all([
      ...pupils.flatMap((pupil, index) =>
        [0, 1].map(
          async () =>
            (await app.call(readingAppCalls.storeSessions, { token: pupil.token, body: { sessions: batch(index) } }))
              .status,
        ),
      ),
      ...pupils.slice(0, 4).map(async ({ id }) => (await remove(school, id)).status),
    ]);
    // A pupil who is deleted first has no valid token; nothing else fails or deadlocks.
    expect(statuses.slice(8, 24)).toEqual(Array.from({ length: 16 }, () => 200));
    expect(statuses.slice(0, 8).filter((status) => status !== 200 && status !== 401)).toEqual([]);
    expect(statuses.slice(24)).toEqual([200, 200, 200, 200]);
    const { kept, expected } = await schoolTotals(school.id, zone);
    expect(kept).toEqual(expected);
    expect(kept).toHaveLength(40);
  });

  test('a school’s daily totals drop a day and level on which only a deleted pupil read', async () => {
    const school = await app.build.school({ ownPupils: ['Ada', 'Ben'], otherPupils: [] });
    const [ada, ben] = school.ownClass.pupils;
    const started_at = '2026-11-16T09:00:00Z';
    await app.build.reading(school, ada?.id ?? 0, [{ started_at, book_id: 205 }]);
    await app.build.reading(school, ben?.id ?? 0, [{ started_at, book_id: 101 }]);
    await app.build.reading(school, ben?.id ?? 0, [
      { started_at, book_id: 101, reading_time: 30, words_attempted: 1, words_correct: 0 },
    ]);
    await remove(school, ada?.id ?? 0);
    const { kept } = await schoolTotals(school.id, zone);
    expect(kept.map(({ reading_level }) => reading_level)).toEqual([1]);
  });
});
