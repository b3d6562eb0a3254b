import { randomUUID } from 'node:crypto';
import type { IntakeSession } from '#contract/calls/reading-app.ts';
import { programCalls, type ReceivedSession } from '#contract/calls/programs.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inSchool } from '../../../database/school.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, makeSession } from '../../../testing/builder.ts';
import { ingestSessions, parseSessions } from '../reading-app/reading-app.public.ts';
import { SETTLING_MS } from './reading-feed.service.ts';

const app = testApp();
const NOON = Date.parse('2026-11-18T12:00:00.000Z');
const MINUTE = 60_000;
const minutes = (count: number) => new Date(NOON + count * MINUTE);

let school: BuiltSchool;
/** The token of a program of the whole school. */
let token: string;
beforeAll(async () => {
  school = await app.build.school();
  ({ token } = await app.build.program(school, { scopes: ['read_reading'] }));
});
beforeEach(async () => {
  app.setTime(minutes(0).toISOString());
  await app.database.kysely.deleteFrom('reading_sessions').execute();
  await app.database.kysely.deleteFrom('reading_days').execute();
});

type Query = { since?: string; limit?: string };
function ask(now: Date, query: Query, by: string, own: BuiltSchool) {
  app.setTime(now.toISOString());
  return app.call(programCalls.listReading, { params: { id: own.id }, query, token: by });
}
async function page(now: Date, { since, limit }: { since?: string; limit?: number } = {}, by = token, own = school) {
  const query = { ...(since !== undefined && { since }), ...(limit !== undefined && { limit: String(limit) }) };
  const { status, reply, text } = await ask(now, query, by, own);
  if (status !== 200) throw new Error(text);
  return reply;
}

/** Stores sessions of a pupil that arrived at a time, a number of microseconds after it. Returns their IDs. */
async function receive(
  pupilId: number,
  at: Date,
  sessions: readonly Partial<IntakeSession>[] = [{}],
  { own = school, microseconds = 0 } = {},
): Promise<string[]> {
  const full = sessions.map((session) => makeSession({ started_at: '2026-11-18T09:00:00Z', ...session }));
  const parsed = await parseSessions(full);
  const ids = full.map(({ id }) => id);
  const { accepted } = await inSchool(app.database, own.id, (db) => ingestSessions(db, pupilId, parsed, at));
  expect(accepted).toBe(full.length);
  await sql`
    update reading_sessions set received_at = received_at + ${microseconds} * interval '1 microsecond'
    where id = any(${ids}::uuid[])`.execute(app.database.kysely);
  return ids;
}

/** Every page from a place on. */
async function readAll(now: Date, limit: number, since?: string) {
  const pages = [await page(now, { limit, ...(since && { since }) })];
  while (pages.at(-1)?.meta.has_more) {
    expect(pages.length).toBeLessThan(200);
    pages.push(await page(now, { limit, since: pages.at(-1)?.meta.next ?? '' }));
  }
  return pages;
}
const idsOf = (pages: readonly { sessions: readonly ReceivedSession[] }[]) =>
  pages.flatMap(({ sessions }) => sessions.map(({ id }) => id));

const pupilOf = (own = school) => own.ownClass.pupils[0]?.id ?? 0;
/** An archived pupil has left their class. */
const archive = (pupilId: number, archivedAt: Date | null) =>
  app.database.kysely
    .updateTable('pupils')
    .set({ archived_at: archivedAt, class_id: null })
    .where('id', '=', pupilId)
    .execute();

describe('sessions', () => {
  test('a session is listed as it was stored', async () => {
    const [id] = await receive(pupilOf(), minutes(0), [
      { book_id: 103, started_at: '2026-11-17T22:10:00+01:00', last_page: 12, has_completed_book: true },
    ]);
    expect(await page(minutes(10))).toEqual({
      sessions: [
        {
          id,
          reader_id: pupilOf(),
          book_id: 103,
          reading_level: 2,
          started_at: '2026-11-17T21:10:00.000Z',
          day: '2026-11-17',
          received_at: '2026-11-18T12:00:00.000Z',
          reading_time: 120,
          last_page: 12,
          words_attempted: 60,
          words_correct: 54,
          has_completed_book: true,
          is_reading: true,
        },
      ],
      days: [
        {
          reader_id: pupilOf(),
          day: '2026-11-17',
          reading_level: 2,
          reading_time: 120,
          words_attempted: 60,
          words_correct: 54,
        },
      ],
      meta: { next: expect.any(String), has_more: false, complete_until: '2026-11-18T12:00:00.000Z' },
    });
  });

  test('sessions are listed by the time of arrival and then by ID, whatever the time at which they began', async () => {
    const ids = Array.from({ length: 6 }, () => randomUUID());
    const [second, third, fourth, fifth] = ids.slice(1, 5).sort() as [string, string, string, string];
    const [first, sixth] = [ids[0] ?? '', ids[5] ?? ''];
    await receive(pupilOf(), minutes(2), [{ id: sixth, started_at: '2026-10-01T09:00:00Z' }]);
    await receive(pupilOf(), minutes(1), [{ id: fifth }, { id: second }, { id: fourth }]);
    await receive(school.unplaced.id, minutes(1), [{ id: third }]);
    await receive(pupilOf(), minutes(0), [{ id: first }]);
    expect(idsOf(await readAll(minutes(60), 500))).toEqual([first, second, third, fourth, fifth, sixth]);
  });

  test('pages of every size give each session once, also when all arrived at the same microsecond', async () => {
    const ids = Array.from({ length: 7 }, () => randomUUID());
    for (const id of ids.toSorted().toReversed()) await receive(pupilOf(), minutes(0), [{ id }], { microseconds: 123 });
    for (let limit = 1; limit <= 8; limit += 1) {
      const pages = await readAll(minutes(60), limit);
      expect(idsOf(pages)).toEqual(ids.toSorted());
      expect(pages).toHaveLength(Math.ceil(7 / limit));
    }
  });

  test('sessions that arrived within one millisecond keep their order and are listed once', async () => {
    const ids: string[] = [];
    for (const microseconds of [900, 7, 450])
      ids[microseconds] = (await receive(pupilOf(), minutes(0), [{}], { microseconds }))[0] ?? '';
    expect(idsOf(await readAll(minutes(60), 1))).toEqual([ids[7], ids[450], ids[900]]);
  });

  test('the day of a session and its totals are those of the time zone of the school', async () => {
    for (const [timeZone, day] of [
      ['Pacific/Auckland', '2026-11-18'],
      ['Europe/London', '2026-11-17'],
      ['America/Los_Angeles', '2026-11-17'],
    ]) {
      const own = await app.build.school({ timeZone: timeZone ?? '' });
      const program = await app.build.program(own);
      await receive(pupilOf(own), minutes(0), [{ started_at: '2026-11-17T21:30:00Z' }], { own });
      const { sessions, days } = await page(minutes(60), {}, program.token, own);
      expect(sessions).toMatchObject([{ day, started_at: '2026-11-17T21:30:00.000Z' }]);
      expect(days).toMatchObject([{ day, reader_id: pupilOf(own), reading_time: 120 }]);
    }
  });

  test('sessions and totals of other schools are on no page', async () => {
    const own = await app.build.school();
    await receive(pupilOf(own), minutes(0), [{}], { own });
    const ids = await receive(pupilOf(), minutes(1));
    const pages = await readAll(minutes(60), 1);
    expect(idsOf(pages)).toEqual(ids);
    expect(pages.flatMap(({ days }) => days).map(({ reader_id: pupilId }) => pupilId)).toEqual([pupilOf()]);
  });

  test('a page omits archived pupils and their totals, and the place moves past them', async () => {
    const [gone] = await app.build.pupils(school, null, ['Robin Reader']);
    await receive(gone?.id ?? 0, minutes(0));
    const ids = await receive(pupilOf(), minutes(1));
    await archive(gone?.id ?? 0, minutes(2));
    const first = await page(minutes(60), { limit: 1 });
    expect(first).toMatchObject({ sessions: [], days: [], meta: { has_more: true } });
    expect(idsOf([await page(minutes(60), { limit: 1, since: first.meta.next })])).toEqual(ids);
    await archive(gone?.id ?? 0, null);
    expect(idsOf(await readAll(minutes(60), 500))).toHaveLength(2);
  });

  test('a program that is limited to a class gets no sessions and totals of other pupils', async () => {
    const limited = await app.build.program(school, { classIds: [school.ownClass.id] });
    await receive(school.unplaced.id, minutes(0));
    const ids = await receive(pupilOf(), minutes(1));
    await receive(school.otherClass.pupils[0]?.id ?? 0, minutes(2));
    const { sessions, days, meta } = await page(minutes(60), { limit: 2 }, limited.token);
    expect(sessions.map(({ id }) => id)).toEqual(ids);
    expect(days.map(({ reader_id: pupilId }) => pupilId)).toEqual([pupilOf()]);
    expect(meta.has_more).toBe(true);
    expect(await page(minutes(60), { limit: 2, since: meta.next }, limited.token)).toMatchObject({
      sessions: [],
      days: [],
      meta: { has_more: false },
    });
  });
});

describe('totals', () => {
  test('a page has the current totals of every level on the days of its sessions, and of no other day', async () => {
    const [ada, zoe] = school.ownClass.pupils.map(({ id }) => id) as [number, number];
    await receive(zoe, minutes(0), [{ reading_time: 70 }]);
    await receive(ada, minutes(1), [{ reading_time: 100 }]);
    await receive(ada, minutes(2), [{ started_at: '2026-11-17T09:00:00Z', reading_time: 50 }]);
    await receive(ada, minutes(3), [{ book_id: 205, reading_time: 200 }]);
    await receive(ada, minutes(4), [
      { reading_time: 30 },
      { reading_time: 29 },
      { words_attempted: 0, words_correct: 0 },
    ]);
    const figures = (days: Awaited<ReturnType<typeof page>>['days']) =>
      days.map((total) => [total.reader_id, total.day, total.reading_level, total.reading_time]);
    const totals = [
      [ada, '2026-11-17', 1, 50],
      [ada, '2026-11-18', 1, 130],
      [ada, '2026-11-18', 5, 200],
      [zoe, '2026-11-18', 1, 70],
    ];
    expect(figures((await page(minutes(60))).days)).toEqual(totals);
    // The later sessions of the day are on other pages, and included in its totals already.
    const second = (await readAll(minutes(60), 1))[1];
    expect(second?.sessions.map((session) => [session.reader_id, session.reading_time])).toEqual([[ada, 100]]);
    expect(figures(second?.days ?? [])).toEqual(totals.slice(1, 3));
  });
});

describe('the place of the next page', () => {
  test('a session is listed ten minutes after it arrived, and no earlier', async () => {
    const ids = await receive(pupilOf(), minutes(0), [{}], { microseconds: 0 });
    const early = await page(new Date(minutes(0).getTime() + SETTLING_MS - 1));
    expect(early).toMatchObject({
      sessions: [],
      meta: { has_more: false, complete_until: '2026-11-18T11:59:59.999Z' },
    });
    const { sessions, meta } = await page(new Date(minutes(0).getTime() + SETTLING_MS), { since: early.meta.next });
    expect(sessions.map(({ id }) => id)).toEqual(ids);
    expect(meta.complete_until).toBe('2026-11-18T12:00:00.000Z');
  });

  test('empty pages keep the place, so that sessions that commit late are still found', async () => {
    let { next } = (await page(minutes(0))).meta;
    for (const now of [5, 20, 40]) ({ next } = (await page(minutes(now), { since: next })).meta);
    const late = await receive(pupilOf(), minutes(31));
    const found = await page(minutes(41), { since: next });
    expect(idsOf([found])).toEqual(late);
    ({ next } = (await page(minutes(45), { since: found.meta.next })).meta);
    expect(next).toBe(found.meta.next);
    const later = await receive(pupilOf(), minutes(36));
    expect(idsOf([await page(minutes(46), { since: next })])).toEqual(later);
  });

  test('a place names no session that has been erased meanwhile, and the next page follows it', async () => {
    const [gone] = await app.build.pupils(school, null, ['Robin Reader']);
    await receive(gone?.id ?? 0, minutes(0));
    const { meta } = await page(minutes(60), { limit: 1 });
    const ids = await receive(pupilOf(), minutes(1));
    await app.database.kysely
      .deleteFrom('pupils')
      .where('id', '=', gone?.id ?? 0)
      .execute();
    expect(idsOf([await page(minutes(60), { since: meta.next })])).toEqual(ids);
  });

  test('a place can be used again, and gives the same page', async () => {
    await receive(pupilOf(), minutes(0), [{}, {}, {}]);
    const { meta } = await page(minutes(60), { limit: 1 });
    const again = await page(minutes(60), { since: meta.next });
    expect(again.sessions).toHaveLength(2);
    expect(await page(minutes(60), { since: meta.next })).toEqual(again);
  });

  test.each([
    ['2026-11-18T12:01:00Z', 2],
    ['2026-11-18T13:01:00.000+01:00', 2],
    ['2026-11-18T12:00:00.000123Z', 3],
    ['2026-11-18T12:00:00.000124Z', 2],
    ['2026-11-18T12:00:00.0001Z', 3],
    ['2026-11-18T12:02:00.001Z', 0],
    ['1969-07-20T20:17:00Z', 3],
    ['0000-01-01T00:00:00Z', 3],
  ])('since %s lists the %i sessions that arrived then or later', async (since, count) => {
    await receive(pupilOf(), minutes(0), [{}], { microseconds: 123 });
    await receive(pupilOf(), minutes(1));
    await receive(pupilOf(), minutes(2));
    expect(idsOf(await readAll(minutes(60), 2, since))).toHaveLength(count);
  });
});

describe('property', () => {
  type Step =
    | { kind: 'wait'; minutes: number }
    | { kind: 'receive'; pupil: number; late: number; microseconds: number; count: number }
    | { kind: 'archive' | 'restore' | 'erase' | 'move'; pupil: number }
    | { kind: 'page'; limit: number };
  const PUPILS = 5;
  const pupil = fc.integer({ min: 0, max: PUPILS - 1 });
  const anyStep: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 8 }) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('receive' as const),
        pupil,
        late: fc.integer({ min: 0, max: 9 }),
        microseconds: fc.integer({ min: 0, max: 1 }),
        count: fc.integer({ min: 1, max: 3 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('archive' as const, 'restore', 'erase', 'move'), pupil }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('page' as const), limit: fc.integer({ min: 1, max: 4 }) }) },
  );

  test('pages of any size list every session once, beside late arrivals and pupils who are archived, erased or moved', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 30 }), async (steps) => {
        const own = await app.build.school({ ownPupils: ['A B', 'C D', 'E F'], otherPupils: ['G H', 'I J'] });
        const whole = await app.build.program(own);
        const limited = await app.build.program(own, { classIds: [own.ownClass.id] });
        const pupils = [...own.ownClass.pupils, ...own.otherClass.pupils].map(({ id }, index) => ({
          id,
          isActive: true,
          isErased: false,
          isInClass: index < 3,
          /** Active and in the class all the time. */
          isSteady: index < 3,
        }));
        const sent: { id: string; pupilId: number }[] = [];
        const followers = [
          { by: whole, next: undefined as string | undefined, seen: [] as string[], keys: [] as string[] },
          { by: limited, next: undefined as string | undefined, seen: [] as string[], keys: [] as string[] },
        ];
        let now = 0;
        const follow = async (limit: number) => {
          let hasMore = false;
          for (const follower of followers) {
            const found = await page(
              minutes(now),
              { limit, ...(follower.next && { since: follower.next }) },
              follower.by.token,
              own,
            );
            for (const { reader_id: pupilId, id, received_at } of found.sessions) {
              const reading = pupils.find((one) => one.id === pupilId);
              expect(reading?.isActive && !reading.isErased && (follower.by !== limited || reading.isInClass)).toBe(
                true,
              );
              follower.seen.push(id);
              follower.keys.push(received_at);
            }
            follower.next = found.meta.next;
            hasMore ||= found.meta.has_more;
          }
          return hasMore;
        };
        for (const step of steps) {
          if (step.kind === 'wait') now += step.minutes;
          else if (step.kind === 'page') await follow(step.limit);
          else {
            const one = pupils[step.pupil];
            if (!one || one.isErased) continue;
            if (step.kind === 'receive') {
              if (!one.isActive) continue;
              const ids = await receive(
                one.id,
                minutes(now - step.late),
                Array.from({ length: step.count }, () => ({})),
                { own, microseconds: step.microseconds },
              );
              sent.push(...ids.map((id) => ({ id, pupilId: one.id })));
            } else {
              one.isSteady = false;
              if (step.kind === 'erase') {
                one.isErased = true;
                await app.database.kysely.deleteFrom('pupils').where('id', '=', one.id).execute();
              } else if (step.kind === 'move') {
                if (!one.isActive) continue;
                one.isInClass = !one.isInClass;
                await app.build.move(own, one.id, one.isInClass ? own.ownClass.id : own.otherClass.id);
              } else {
                one.isActive = step.kind === 'restore';
                one.isInClass = false;
                await archive(one.id, one.isActive ? null : minutes(now));
              }
            }
          }
        }
        now += 11;
        for (let count = 0; await follow(2); count += 1) expect(count).toBeLessThan(200);
        for (const { seen, keys } of followers) {
          expect(new Set(seen).size).toBe(seen.length);
          expect(keys).toEqual(keys.toSorted());
        }
        const steady = new Set(pupils.filter(({ isSteady }) => isSteady).map(({ id }) => id));
        for (const { seen } of followers)
          expect(seen).toEqual(
            expect.arrayContaining(sent.filter(({ pupilId }) => steady.has(pupilId)).map(({ id }) => id)),
          );
      }),
      { numRuns: 20 },
    );
  });

  test('the totals of the pages that a copy stored equal the sums of its sessions', async () => {
    const anySession = fc.record({
      pupil: fc.integer({ min: 0, max: 1 }),
      book_id: fc.constantFrom(101, 205),
      hours: fc.integer({ min: 0, max: 60 }),
      reading_time: fc.integer({ min: 0, max: 500 }),
      words_correct: fc.integer({ min: 0, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anySession, { maxLength: 15 }),
        fc.integer({ min: 1, max: 6 }),
        async (given, limit) => {
          const own = await app.build.school({ timeZone: 'Pacific/Auckland' });
          const program = await app.build.program(own);
          for (const [index, { pupil: who, hours, ...session }] of given.entries())
            await receive(
              own.ownClass.pupils[who]?.id ?? 0,
              minutes(index),
              [{ ...session, started_at: new Date(NOON - hours * 60 * MINUTE).toISOString() }],
              { own },
            );
          const days = new Map<string, number[]>();
          const sums = new Map<string, number[]>();
          let since: string | undefined;
          for (let hasMore = true; hasMore;) {
            const found = await page(minutes(60), { limit, ...(since && { since }) }, program.token, own);
            for (const { reader_id: pupilId, day, reading_level, ...figures } of found.days)
              days.set(`${pupilId} ${day} ${reading_level}`, [
                figures.reading_time,
                figures.words_attempted,
                figures.words_correct,
              ]);
            for (const session of found.sessions) {
              if (!session.is_reading) continue;
              const key = `${session.reader_id} ${session.day} ${session.reading_level}`;
              const figures = [session.reading_time, session.words_attempted, session.words_correct];
              sums.set(
                key,
                figures.map((figure, index) => figure + (sums.get(key)?.[index] ?? 0)),
              );
            }
            since = found.meta.next;
            hasMore = found.meta.has_more;
          }
          expect(days).toEqual(sums);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('since that is not a place', () => {
  async function faultOf(since: string, now = minutes(60)) {
    const { status, error } = await ask(now, { since }, token, school);
    return status === 200 ? undefined : [status, error.error_type, ...(error.errors?.since ?? [])];
  }
  const cursor = (text: string) => Buffer.from(text).toString('base64url');
  const malformed = [
    422,
    'validation',
    expect.stringMatching(/^since is neither the next of a page nor a time\. Send /),
  ];

  test.each([
    '',
    'yesterday',
    '2026-11-18',
    '2026-11-18T12:00:00',
    '2026-11-18T12:00:00 01:00',
    '2026-02-30T12:00:00Z',
    '%%%',
    'MTI',
    "1' or true --",
  ])('since “%s” is rejected with the form that it has', async (since) => {
    expect(await faultOf(since)).toEqual(malformed);
  });

  test('a changed place is rejected', async () => {
    await receive(pupilOf(), minutes(0));
    const { next } = (await page(minutes(60))).meta;
    const text = Buffer.from(next, 'base64url').toString();
    expect(await faultOf(next)).toBeUndefined();
    for (const changed of [
      `${next}=`,
      ` ${next}`,
      next.slice(0, -3),
      `${next}A`,
      cursor(`0${text}`),
      cursor(`${text}0`),
    ])
      expect(await faultOf(changed)).toEqual(malformed);
    for (const changed of [
      `${school.id} 1e3 `,
      `${school.id} -1 `,
      `${school.id} 01 `,
      `${school.id} 9007199254740991 `,
    ])
      expect(await faultOf(cursor(changed))).toEqual(
        changed.includes('900719') ? [422, 'validation', expect.stringContaining('in the future')] : malformed,
      );
  });

  test('a place of another school is rejected, and says so', async () => {
    const own = await app.build.school();
    const program = await app.build.program(own);
    await receive(pupilOf(own), minutes(0), [{}], { own });
    const { next } = (await page(minutes(60), {}, program.token, own)).meta;
    expect(await faultOf(next)).toEqual([
      422,
      'validation',
      expect.stringMatching(/belongs to another school\. Send /),
    ]);
  });

  test('a time or place in the future is rejected, and says so', async () => {
    const future = [422, 'validation', expect.stringMatching(/^since is in the future\. Send /)];
    expect(await faultOf('2026-11-18T13:00:00.001Z')).toEqual(future);
    expect(await faultOf('2026-11-18T13:00:00Z')).toBeUndefined();
    await receive(pupilOf(), minutes(0));
    const { next } = (await page(minutes(60))).meta;
    expect(await faultOf(next, minutes(-1))).toEqual(future);
  });
});
