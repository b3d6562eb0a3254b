import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chartCalls } from '#contract/calls/charts.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { recordLocalUrl, removeLocalUrl } from '#server/local-url.ts';
import { inSchool } from '#server/database/school.ts';
import { hashPassword } from '#server/auth/password-hashing.ts';
import { createPupilsWithUsernames } from '#server/features/records/pupil-import/pupil-import.public.ts';
import { testApp } from '#server/testing/app.ts';
import type { BuiltSchool } from '#server/testing/builder.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimulationEnvironment } from './device.ts';
import { findPortalUrl } from './find-portal.ts';
import { Progress } from './progress.ts';
import { simulate, type SimulationOptions } from './simulation.ts';

const app = testApp();
const PUPILS = 6;
let url: string;
let school: BuiltSchool;
let lines: string[];

/** Fake time that passes only while pupils wait, so that a minute of reading takes no real time. */
function makeWorld(change: Partial<SimulationEnvironment> = {}): SimulationEnvironment {
  let now = app.services.clock.now().getTime();
  return { fetch, now: () => now, pause: async (milliseconds) => void (now += milliseconds / PUPILS), ...change };
}

const run = (
  prefix: string,
  more: Partial<SimulationOptions> = {},
  world = makeWorld(),
  signal = new AbortController().signal,
) => {
  lines = [];
  const options = { url, pupils: PUPILS, minutes: 1, password: 'reading-1', prefix, ...more };
  return simulate(options, world, new Progress({ write: (text: string) => lines.push(text) }), signal);
};

async function addPupils(prefix: string): Promise<void> {
  const passwordHash = await hashPassword('reading-1', 'least');
  const rows = Array.from({ length: PUPILS }, (_, index) => ({
    name: `Pupil ${prefix}`,
    username: `${prefix}${index + 1}`,
    passwordHash,
    classId: school.otherClass.id,
  }));
  await inSchool(app.database, school.id, (db) => createPupilsWithUsernames(db, rows, app.services.clock.now()));
}

/** Today's dashboard figures for the whole school. */
async function readDashboard() {
  const total = async (
    name:
      | 'readers_reading_time_by_reading_level'
      | 'readers_read_books_by_reading_level'
      | 'readers_accuracy_by_reading_level',
  ) => {
    const { reply } = await app.call(chartCalls.getChart, {
      query: { name, start_date: '2026-11-18', end_date: '2026-11-18' },
      token: school.admin.token,
    });
    return (name === 'readers_accuracy_by_reading_level' ? reply.chart.average : reply.chart.total) ?? 0;
  };
  return {
    readingTime: await total('readers_reading_time_by_reading_level'),
    books: await total('readers_read_books_by_reading_level'),
    accuracy: await total('readers_accuracy_by_reading_level'),
  };
}

beforeAll(async () => {
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`;
  school = await app.build.school();
  await app.build.assign(school, { classId: school.otherClass.id }, [105, 203, 303, 404, 504]);
});

describe('a simulation', () => {
  it('a simulation reports exactly the increase on the dashboard', async () => {
    await addPupils('calm-');
    const reader = school.ownClass.pupils[0];
    await app.build.reading(school, reader?.id ?? 0, [{ reading_time: 600, words_attempted: 100, words_correct: 90 }]);
    const before = await readDashboard();
    const { pupils, tally } = await run('calm-');
    const after = await readDashboard();
    expect(pupils).toBe(PUPILS);
    expect(tally.sessions).toBeGreaterThan(PUPILS);
    // As much as in a school day: between five and forty minutes each.
    expect(tally.readingTime / PUPILS).toBeGreaterThan(5 * 60);
    expect(tally.readingTime / PUPILS).toBeLessThan(40 * 60);
    expect(tally).toMatchObject({ unconfirmed: 0, rejected: 0 });
    expect(after.readingTime - before.readingTime).toBe(tally.readingTime);
    expect(after.books - before.books).toBe(tally.booksCompleted);
    expect(after.accuracy).toBeCloseTo(((90 + tally.wordsCorrect) / (100 + tally.wordsAttempted)) * 100, 9);
    expect(lines.at(-1)).toMatch(/^100 % {2}\d/);
  });

  it('a simulation reports the increase with a bad connection and a busy server', async () => {
    await addPupils('rough-');
    const before = await readDashboard();
    let requests = 0;
    const world = makeWorld({
      fetch: async (address, init) => {
        if (!String(address).endsWith(readingAppCalls.storeSessions.path)) return fetch(address, init);
        requests += 1;
        if (requests % 5 === 1)
          return new Response('{"error":"Busy"}', { status: 503, headers: { 'retry-after': '2' } });
        const response = await fetch(address, init);
        // The server stores the batch, but its reply is lost.
        if (requests % 3 === 0) {
          await response.arrayBuffer();
          throw new TypeError('fetch failed');
        }
        return response;
      },
    });
    const { tally } = await run('rough-', { minutes: 3 }, world);
    const after = await readDashboard();
    expect(requests).toBeGreaterThan(20);
    expect(tally.unconfirmed).toBe(0);
    expect(after.readingTime - before.readingTime).toBe(tally.readingTime);
    expect(after.books - before.books).toBe(tally.booksCompleted);
  });

  it('a simulation uses the pupils that exist, and reports how many', async () => {
    await addPupils('few-');
    const { pupils } = await run('few-', { pupils: 100 });
    expect(pupils).toBe(PUPILS);
    expect(lines.join('')).toContain(`Only ${PUPILS} of 100 pupils could log in`);
  });

  it('a simulation takes the pupils from a number on, then those before it', async () => {
    await addPupils('middle-');
    const usernames: string[] = [];
    const world = makeWorld({
      fetch: async (address, init) => {
        if (String(address).endsWith(readingAppCalls.logInPupil.path))
          usernames.push((JSON.parse(String(init?.body)) as { username: string }).username);
        return fetch(address, init);
      },
    });
    const { pupils } = await run('middle-', { pupils: 4, firstNumber: 5 }, world);
    expect(pupils).toBe(4);
    expect(usernames.slice(0, 2)).toEqual(['middle-5', 'middle-6']);
    expect(usernames.slice(-2)).toEqual(['middle-1', 'middle-2']);
  });

  it('every pupil reads in a short simulation', async () => {
    await addPupils('brief-');
    const { tally } = await run('brief-', { minutes: 0.1 });
    expect(tally.sessions).toBeGreaterThanOrEqual(PUPILS);
  });

  it('a simulation stops on a signal, with a correct report', async () => {
    await addPupils('short-');
    const before = await readDashboard();
    const stop = new AbortController();
    let handedIn = 0;
    const world = makeWorld({
      fetch: async (address, init) => {
        if (String(address).endsWith(readingAppCalls.storeSessions.path) && ++handedIn === 3) stop.abort();
        return fetch(address, init);
      },
    });
    const { tally } = await run('short-', { minutes: 60 }, world, stop.signal);
    expect(tally.sessions).toBeGreaterThan(0);
    expect((await readDashboard()).readingTime - before.readingTime).toBe(tally.readingTime);
  });

  it('a simulation explains what to do without a server or a pupil with that name', async () => {
    await expect(run('calm-', { url: 'http://127.0.0.1:9' })).rejects.toThrow(
      'No server answers at http://127.0.0.1:9.',
    );
    await expect(run('unknown-')).rejects.toThrow('No pupil could log in as unknown-1');
    await expect(run('calm-', { password: 'wrong' })).rejects.toThrow('DEMO=on');
  });
});

describe('the portal that a simulation finds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-simulation-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('a simulation finds the portal that serves from the data folder, until it stops', () => {
    recordLocalUrl(folder, 'http://localhost:8099');
    expect(findPortalUrl({ DATA_DIR: folder })).toBe('http://localhost:8099');
    expect(findPortalUrl({ DATA_DIR: folder, PORT: '8081' })).toBe('http://localhost:8081');
    removeLocalUrl(folder, 'http://localhost:8098');
    expect(findPortalUrl({ DATA_DIR: folder })).toBe('http://localhost:8099');
    removeLocalUrl(folder, 'http://localhost:8099');
    expect(findPortalUrl({ DATA_DIR: folder })).toBe('http://localhost:8080');
  });

  it('a simulation looks on the default port when there is no data folder', () => {
    expect(findPortalUrl({ DATA_DIR: join(folder, 'missing') })).toBe('http://localhost:8080');
  });
});

describe('the progress', () => {
  it('the progress of a simulation is a bar on a terminal', () => {
    const written: string[] = [];
    const progress = new Progress({ isTTY: true, write: (text: string) => written.push(text) });
    const tally = {
      sessions: 1234,
      readingTime: 600,
      wordsAttempted: 0,
      wordsCorrect: 0,
      booksCompleted: 0,
      sentTwice: 0,
      unconfirmed: 0,
      rejected: 0,
    };
    progress.progress(0.5, tally);
    progress.say('Done.');
    expect(written).toEqual([
      `\r[${'#'.repeat(15)}${'.'.repeat(15)}]  50 %  1,234 sessions, 10 minutes read\u001B[K`,
      '\n',
      'Done.\n',
    ]);
  });
});
