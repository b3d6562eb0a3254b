import { randomUUID } from 'node:crypto';
import { programCalls } from '#contract/calls/programs.ts';
import { readingAppCalls, type IntakeSession } from '#contract/calls/reading-app.ts';
import { readingCalls } from '#contract/calls/reading.ts';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, makeSession } from '../../../testing/builder.ts';
import { placeStart, readClock } from './session-clock.service.ts';

const app = testApp();
const NOW = '2026-11-18T12:00:00.000Z';
const START = '2026-11-18T09:00:00.000Z';
let school: BuiltSchool;
beforeAll(async () => {
  school = await app.build.school({});
});
beforeEach(() => app.setTime(NOW));

type Pupil = BuiltSchool['unplaced'];
const newPupil = async (): Promise<Pupil> =>
  (await app.build.pupils(school, school.ownClass.id, ['Robin Reader']))[0] ?? school.unplaced;
const send = (
  pupil: Pupil,
  sessions: readonly IntakeSession[],
  origin: { sent_at?: string; device_id?: string } = {},
) => app.call(readingAppCalls.storeSessions, { token: pupil.token, body: { ...origin, sessions: [...sessions] } });
const stored = async (pupil: Pupil) =>
  (
    await app.database.kysely
      .selectFrom('reading_sessions')
      .select(['started_at', 'clock'])
      .where('pupil_id', '=', pupil.id)
      .orderBy('started_at')
      .execute()
  ).map(({ started_at, clock }) => [started_at.toISOString(), clock]);
const days = (pupil: Pupil) =>
  app.database.kysely
    .selectFrom('reading_days')
    .select(['day', 'reading_time'])
    .where('pupil_id', '=', pupil.id)
    .orderBy('day')
    .execute();
/** A time on a tablet whose clock differs by some seconds. */
const onTablet = (time: string, difference: number) => new Date(Date.parse(time) + difference * 1000).toISOString();

const YEAR = 365 * 86_400;

test.each([
  ['right', 0, null],
  ['2 minutes ahead', 120, null],
  ['2 minutes behind', -120, null],
  ['121 seconds ahead', 121, 'corrected'],
  ['5 hours ahead', 5 * 3600, 'corrected'],
  ['a year ahead', YEAR, 'corrected'],
  ['in 1970', -56 * YEAR, 'corrected'],
])('the start of a session from a tablet whose clock is %s is stored by our clock', async (_, difference, clock) => {
  const pupil = await newPupil();
  const started_at = onTablet(START, difference);
  const { reply } = await send(pupil, [makeSession({ started_at })], { sent_at: onTablet(NOW, difference) });
  expect(reply).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
  expect(await stored(pupil)).toEqual([[clock ? START : started_at, clock]]);
});

test.each([
  ['before 2018', 'without a time of sending', '1970-01-01T00:00:00Z', undefined],
  ['in the future', 'without a time of sending', '2027-11-18T09:00:00Z', undefined],
  ['before 2018', 'after the clock was set', '1970-01-01T00:00:00Z', NOW],
  ['in the future', 'by a clock that was set back to 1970', START, '1970-01-01T00:00:00Z'],
])('a session with a start %s, %s, ends as it arrives and is marked', async (_, __, started_at, sent_at) => {
  const pupil = await newPupil();
  const { reply } = await send(pupil, [makeSession({ started_at, reading_time: 600 })], sent_at ? { sent_at } : {});
  expect(reply).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
  expect(await stored(pupil)).toEqual([['2026-11-18T11:50:00.000Z', 'arrival']]);
  expect(await days(pupil)).toEqual([{ day: '2026-11-18', reading_time: 600 }]);
});

test('a session sent again with another time of sending is a duplicate, and its first time stays', async () => {
  const pupil = await newPupil();
  const session = makeSession({ started_at: onTablet(START, 3600) });
  await send(pupil, [session], { sent_at: onTablet(NOW, 3600) });
  const before = [await stored(pupil), await days(pupil)];
  for (const sent_at of [NOW, onTablet(NOW, -YEAR)])
    expect((await send(pupil, [session], { sent_at })).reply).toEqual({ accepted: 0, duplicates: 1, rejected: [] });
  expect([await stored(pupil), await days(pupil)]).toEqual(before);
});

test('a program’s sessions are corrected in the same way', async () => {
  const pupil = await newPupil();
  const { token } = await app.build.program(school, { scopes: ['intake'] });
  const { status } = await app.call(programCalls.storePupilSessions, {
    token,
    params: { id: school.id, readerId: pupil.id },
    body: { sent_at: onTablet(NOW, 7200), sessions: [makeSession({ started_at: onTablet(START, 7200) })] },
  });
  expect(status).toBe(200);
  expect(await stored(pupil)).toEqual([[START, 'corrected']]);
});

test('staff read how the time of a session came about, and whether it counts as reading', async () => {
  const pupil = await newPupil();
  await send(pupil, [makeSession({ started_at: '1970-01-01T00:00:00Z', reading_time: 29 })]);
  const { reply } = await app.call(readingCalls.getPupilBook, {
    token: school.admin.token,
    params: { id: school.id, readerId: pupil.id, bookId: 101 },
  });
  expect(reply.reading_sessions).toMatchObject([{ clock: 'arrival', is_reading: false, total_reading_time: 0 }]);
});

describe('a constant error of a clock', () => {
  test('disappears, to the second', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -50 * YEAR, max: 50 * YEAR }).filter((seconds) => Math.abs(seconds) > 121),
        fc.integer({ min: 0, max: 8 * YEAR }),
        fc.nat(999),
        (difference, before, milliseconds) => {
          const now = new Date(Date.parse(NOW) + milliseconds);
          const start = now.getTime() - before * 1000;
          const clock = readClock({ sent_at: onTablet(NOW, difference) }, now);
          const placed = placeStart(
            { started_at: onTablet(new Date(start).toISOString(), difference), reading_time: 60 },
            clock,
            now,
          );
          expect(placed.clock).toBe('corrected');
          expect(Math.abs(placed.started_at.getTime() - start)).toBeLessThanOrEqual(1000);
        },
      ),
    );
  });

  test('never leads to a start before 2018 or after the arrival, whatever a tablet sends', () => {
    const anyTime = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(anyTime, fc.option(anyTime, { nil: undefined }), fc.nat(86_400), (start, sent, reading_time) => {
        const now = new Date(NOW);
        const clock = readClock({ sent_at: sent?.toISOString() }, now);
        const { started_at } = placeStart({ started_at: start.toISOString(), reading_time }, clock, now);
        expect(started_at.getTime()).toBeGreaterThanOrEqual(Date.parse('2018-01-01'));
        expect(started_at.getTime()).toBeLessThanOrEqual(now.getTime());
      }),
    );
  });
});

test('a device_id that is no UUID, and a sent_at without a date, are rejected', async () => {
  const pupil = await newPupil();
  expect((await send(pupil, [makeSession({ started_at: START })], { device_id: 'tablet 7' })).status).toBe(422);
  expect((await send(pupil, [makeSession({ started_at: START })], { sent_at: 'today' })).status).toBe(422);
  expect((await send(pupil, [makeSession({ started_at: START })], { device_id: randomUUID() })).status).toBe(200);
});
