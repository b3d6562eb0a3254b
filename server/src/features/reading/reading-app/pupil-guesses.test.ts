import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { makeClient, strangersAddress } from '../../../testing/client-at.ts';

const app = testApp();
const START = Date.parse('2026-11-18T12:00:00.000Z');
const DAY_S = 86_400;
const SCHOOL = '192.0.2.1';
const HOME = '192.0.2.2';

const at = (seconds: number) => app.setTime(new Date(START + seconds * 1000).toISOString());
let school: BuiltSchool;
beforeEach(async () => {
  at(0);
  await app.database.kysely.deleteFrom('rate_limits').execute();
  school = await app.build.school();
});

const logIn = (username: string, address: string, password = PASSWORD) =>
  makeClient(app, address, { isProgram: true }).send(readingAppCalls.logInPupil, { username, password });
/** Wrong passwords, one after the other. */
async function guess(username: string, times: number, addressOf: (n: number) => string) {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push((await logIn(username, addressOf(n), `guess ${n}`)).status);
  return statuses;
}
const newPupils = async (count: number) =>
  app.build.pupils(
    school,
    school.ownClass.id,
    Array.from({ length: count }, () => 'Robin Reader'),
  );
/** A pupil of the school who has logged in there. */
async function pupilAtSchool() {
  const [pupil = school.unplaced] = await newPupils(1);
  expect((await logIn(pupil.username, SCHOOL)).status).toBe(200);
  return pupil;
}
const networksOf = ({ id }: { id: number }) =>
  app.database.kysely.selectFrom('trusted_networks').selectAll().where('school_id', '=', id).execute();

describe('logins at school', () => {
  test('32 pupils log in after 320 guesses from three networks elsewhere', async () => {
    const pupils = await newPupils(32);
    await pupilAtSchool();
    for (const { username } of pupils) {
      await guess(username, 8, () => strangersAddress(1));
      await guess(username, 2, (n) => strangersAddress(2 + n));
    }
    for (const { username } of pupils) {
      expect((await logIn(username, SCHOOL, 'mistyped')).status).toBe(401);
      expect((await logIn(username, SCHOOL)).status).toBe(200);
    }
  });

  test('30 pupils behind one address mistype four times on the first day, and then log in without a wait', async () => {
    const pupils = await newPupils(30);
    for (let time = 0; time < 4; time += 1)
      for (const { username } of pupils) expect((await logIn(username, SCHOOL, `mistyped ${time}`)).status).toBe(401);
    for (const { username } of pupils) expect((await logIn(username, SCHOOL)).status).toBe(200);
  });

  test('a classmate’s guesses delay a pupil’s login at school, and nowhere else', async () => {
    const { username } = await pupilAtSchool();
    expect((await logIn(username, HOME)).status).toBe(200);
    expect(await guess(username, 6, () => SCHOOL)).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await logIn(username, SCHOOL)).status).toBe(429);
    expect((await logIn(username, HOME)).status).toBe(200);
    at(5);
    expect((await logIn(username, SCHOOL)).status).toBe(200);
    // A success ends the count.
    expect(await guess(username, 5, () => SCHOOL)).toEqual(Array(5).fill(401));
  });
});

describe('logins elsewhere', () => {
  test('each guess after the fifth has to wait twice as long, from 5 seconds to 5 minutes, counted over all networks', async () => {
    const { username } = await pupilAtSchool();
    expect(await guess(username, 5, (n) => strangersAddress(n))).toEqual(Array(5).fill(401));
    let time = 0;
    const waits: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      const early = await logIn(username, strangersAddress(100 + n));
      expect(early.status).toBe(429);
      waits.push(early.retryAfter);
      at(time + early.retryAfter - 1);
      // An attempt that is too early does not prolong the wait.
      expect(await logIn(username, strangersAddress(200 + n))).toMatchObject({ status: 429, retryAfter: 1 });
      at((time += early.retryAfter));
      expect((await logIn(username, strangersAddress(300 + n), 'guess')).status).toBe(401);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  test('a rejected guess returns how long to wait, and the right password works after that', async () => {
    const { username } = await pupilAtSchool();
    await guess(username, 6, (n) => strangersAddress(n));
    const early = await logIn(username, HOME);
    expect(early.text).toContain('Too many attempts. Wait 5 seconds, then try again.');
    at(early.retryAfter);
    expect((await logIn(username, HOME)).status).toBe(200);
  });

  test('guesses are forgotten an hour after the latest, also when the clock is set back', async () => {
    const { username } = await pupilAtSchool();
    await guess(username, 6, (n) => strangersAddress(n));
    at(3599);
    expect(await guess(username, 2, () => HOME)).toEqual([401, 429]);
    at(3599 + 3600);
    expect(await guess(username, 5, () => HOME)).toEqual(Array(5).fill(401));
    at(0);
    expect(await guess(username, 6, () => HOME)).toEqual([...Array<number>(5).fill(401), 429]);
  });
});

describe('trusted networks', () => {
  const isTrusted = async (username: string, address: string) => {
    await guess(username, 6, (n) => strangersAddress(n));
    return (await logIn(username, address)).status === 200;
  };

  test('a network is trusted for 30 days after the latest login of any pupil of the school, then deleted', async () => {
    const { username } = school.unplaced;
    await pupilAtSchool();
    at(30 * DAY_S - 1);
    expect(await isTrusted(username, SCHOOL)).toBe(true);
    at(60 * DAY_S - 2);
    await app.runJobs({ scheduled: true });
    expect(await networksOf(school)).toHaveLength(1);
    at(60 * DAY_S - 1);
    expect(await isTrusted(username, SCHOOL)).toBe(false);
    await app.runJobs({ scheduled: true });
    expect(await networksOf(school)).toHaveLength(0);
  });

  test('a login by a clock that was ahead does not prolong the trust in a network', async () => {
    at(2 * DAY_S);
    await pupilAtSchool();
    at(0);
    expect(await isTrusted(school.unplaced.username, SCHOOL)).toBe(true);
    at(30 * DAY_S);
    expect(await isTrusted(school.unplaced.username, SCHOOL)).toBe(false);
  });

  test('a network is trusted for its own school only, and for the whole site of an IPv6 address', async () => {
    const otherSchool = await app.build.school();
    const [siteA, siteB] = ['2001:db8:aaaa', '2001:db8:bbbb'];
    expect((await logIn(school.unplaced.username, `${siteA}:1::1`)).status).toBe(200);
    expect((await logIn(otherSchool.unplaced.username, `${siteB}:1::1`)).status).toBe(200);
    expect(await isTrusted(otherSchool.unplaced.username, `${siteA}:1::1`)).toBe(false);
    expect(await isTrusted(school.unplaced.username, `${siteA}:2::7`)).toBe(true);
  });

  test('a trusted network is stored once for each school as a keyed digest, which differs between schools', async () => {
    const otherSchool = await app.build.school();
    for (const { username } of [school.unplaced, otherSchool.unplaced, ...school.ownClass.pupils])
      expect((await logIn(username, SCHOOL)).status).toBe(200);
    const rows = [...(await networksOf(school)), ...(await networksOf(otherSchool))];
    expect(rows).toHaveLength(2);
    const [first, second] = rows.map(({ network_hash: hash }) => hash);
    expect(first?.length).toBe(32);
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(false);
    expect(JSON.stringify(rows.map((row) => String(Object.values(row))))).not.toContain(SCHOOL);
  });

  test('a failed login does not make a network trusted', async () => {
    await guess(school.unplaced.username, 3, () => HOME);
    expect(await networksOf(school)).toEqual([]);
  });
});
