import { randomUUID } from 'node:crypto';
import { classCalls } from '#contract/calls/classes.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { tabletCalls } from '#contract/calls/tablets.ts';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, makeSession } from '../../../testing/builder.ts';

const app = testApp();
const NOW = '2026-11-18T12:00:00.000Z';
const HOUR = 3600;
let school: BuiltSchool;
beforeEach(async () => {
  app.setTime(NOW);
  school = await app.build.school({ ownPupils: ['Ada'], otherPupils: ['Ben'] });
});

/** A tablet whose clock differs by some seconds sends a session of a pupil. */
async function send(pupil: { token: string } | undefined, device_id: string, difference: number, now = NOW) {
  app.setTime(now);
  const sent_at = new Date(Date.parse(now) + difference * 1000).toISOString();
  const { status } = await app.call(readingAppCalls.storeSessions, {
    token: pupil?.token ?? '',
    body: { sent_at, device_id, sessions: [makeSession({ started_at: sent_at })] },
  });
  expect(status).toBe(200);
}
const list = async (token = school.admin.token) =>
  (await app.call(tabletCalls.listTablets, { token, params: { id: school.id } })).reply;
const stored = async () =>
  (
    await sql<{
      device_id: string;
    }>`select device_id from tablets where school_id = ${school.id} order by last_seen_at, device_id`.execute(
      app.database.kysely,
    )
  ).rows.map(({ device_id }) => device_id);

test('a tablet with a wrong clock is listed with the difference, and the class it was last used in', async () => {
  const [ada] = school.ownClass.pupils;
  const [ben] = school.otherClass.pupils;
  const [wrong, right] = [randomUUID(), randomUUID()];
  await send(ben, wrong, 4 * HOUR, '2026-11-18T11:00:00.000Z');
  await send(ada, wrong.toUpperCase(), 5 * HOUR);
  await send(ada, right, 60);
  expect(await list()).toEqual({
    tablets: [
      {
        id: wrong,
        last_seen_at: NOW,
        clock_difference: 5 * HOUR,
        wrong_since: '2026-11-18T11:00:00.000Z',
        group: { id: school.ownClass.id, name: school.ownClass.name },
      },
    ],
    meta: { tablets_count: 2 },
  });
});

test('a tablet whose clock is right again has no fault', async () => {
  const [ada] = school.ownClass.pupils;
  const tablet = randomUUID();
  await send(ada, tablet, -HOUR);
  expect((await list()).tablets).toHaveLength(1);
  await send(ada, tablet, 0, '2026-11-18T13:00:00.000Z');
  expect(await list()).toEqual({ tablets: [], meta: { tablets_count: 1 } });
});

test('a tablet that states no time, or has no ID, is not stored', async () => {
  const token = school.ownClass.pupils[0]?.token ?? '';
  const sessions = [makeSession({ started_at: NOW })];
  await app.call(readingAppCalls.storeSessions, { token, body: { device_id: randomUUID(), sessions } });
  await app.call(readingAppCalls.storeSessions, { token, body: { sent_at: '1970-01-01T00:00:00Z', sessions } });
  expect(await stored()).toEqual([]);
});

test('the thousandth and first tablet of a school takes the place of the one unseen for longest', async () => {
  const [ada] = school.ownClass.pupils;
  await sql`insert into tablets (school_id, device_id, last_seen_at, clock_difference)
    select ${school.id}::bigint, gen_random_uuid(), ${NOW}::timestamptz - n * interval '1 minute', 0 from generate_series(1, 1000) n`.execute(
    app.database.kysely,
  );
  const before = await stored();
  const tablet = randomUUID();
  await send(ada, tablet, 0);
  expect(await stored()).toEqual([...before.slice(1), tablet]);
  await send(ada, before[1] ?? '', 0, '2026-11-18T12:01:00.000Z');
  expect(await stored()).toHaveLength(1000);
});

test('a tablet ends 90 days after its last contact', async () => {
  const [ada] = school.ownClass.pupils;
  const [old, later] = [randomUUID(), randomUUID()];
  await send(ada, old, HOUR);
  await send(ada, later, HOUR, '2026-11-18T13:00:00.000Z');
  app.setTime('2027-02-16T11:59:59.000Z');
  await app.runJobs({ scheduled: true });
  expect(await stored()).toEqual([old, later]);
  app.setTime('2027-02-16T12:30:00.000Z');
  await app.runJobs({ scheduled: true });
  expect(await stored()).toEqual([later]);
});

test('a tablet last used in a deleted class is listed without a class', async () => {
  await send(school.ownClass.pupils[0], randomUUID(), HOUR);
  await app.call(classCalls.removeClass, {
    token: school.admin.token,
    params: { id: school.id, groupId: school.ownClass.id },
  });
  expect((await list()).tablets).toMatchObject([{ group: null }]);
});
