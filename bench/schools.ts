import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { hashPassword } from '#server/auth/password-hashing.ts';
import { ask, fillBy, fingerprint, OWNER, PASSWORD, pupilToken, staffToken } from './database.ts';
import type { Asking } from './load.ts';
import { atMost, type Figure, ms, percent, perSecond, times, told } from './measure.ts';
import { type OpenLoad, openLoad } from './open-load.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { type Served, servePortal } from './processes.ts';
import { median, quantile } from './rounds.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** What is tried first, asked a second; then what keeps the processors as busy as this. */
const FIRST_RATE = 60;
const BUSY = 0.6;
const CALIBRATIONS = 5;
/** Loads that are measured: the middle one tells of the portal when a disk holds up another. */
const ROUNDS = 3;
/** Loads that are made to get so many; with fewer that count, the last ones are told as they are. */
const MOST_ROUNDS = 9;
/** A load counts as busy as it is to be within so much. */
const BUSY_WITHIN = 0.03;
/** A load counts unless the host gave more of the processors than this to others: then it tells of the host. */
const MOST_STOLEN = 0.01;
const DAY = 86_400_000;

const PUPILS = 300;
const STAFF = 8;

/** Starts PostgreSQL with schools.sql in it: kept from an earlier run, or filled now. */
async function openSchools(schools: number, say: (line: string) => void): Promise<Postgres> {
  const cache = join(ROOT, '.cache/bench');
  const name = `schools-${fingerprint('schools.sql')}-${schools}`;
  const mark = join(cache, name, 'filled');
  mkdirSync(cache, { recursive: true });
  for (const other of readdirSync(cache))
    if (other.startsWith('schools-') && other.endsWith(`-${schools}`) && !existsSync(mark))
      rmSync(join(cache, other), { recursive: true });
  const postgres = await startPostgres(join(cache, name));
  try {
    const admin = postgres.url('postgres', 'portal');
    if (!existsSync(mark)) {
      say(`Filling: ${schools} schools, ${schools * PUPILS} pupils, ${schools * 10_000} reading sessions …`);
      const passwordHash = await hashPassword(PASSWORD, 'full');
      await fillBy('schools.sql', postgres, postgres.url(OWNER, 'portal'), schools, passwordHash, say);
      writeFileSync(mark, '');
    }
    await ask(admin, 'truncate rate_limits');
    // A use is noted once an hour. Those of a whole hour would fall into the first seconds of the first load.
    await ask(admin, 'update sessions set last_used_at = now()');
    await ask(admin, 'vacuum analyze');
    await ask(admin, 'checkpoint');
    return postgres;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const oneOf = (count: number): number => Math.floor(Math.random() * count);

/** What people of random schools ask: staff nine times in ten, a pupil's device that hands in five sessions otherwise. */
function makeDay(schools: number, bookId: number): () => Asking & { kind: string } {
  const [from, to] = [dayOf(Date.now() - 364 * DAY), dayOf(Date.now())];
  const calls: Record<string, (school: number) => string> = {
    'who am I': () => '/v1/users/me',
    'the school': (school) => `/v1/enterprises/${school}`,
    'pupils, by name': (school) => `/v1/enterprises/${school}/readers?sort[name]=asc&page=${1 + oneOf(5)}&per_page=50`,
    'pupils, searched': (school) =>
      `/v1/enterprises/${school}/readers?search=${['ada', 'be', 'green'][oneOf(3)]}&sort[last_read_at]=desc&page=1&per_page=50`,
    'a pupil': (school) => `/v1/enterprises/${school}/readers/${(school - 1) * PUPILS + 1 + oneOf(PUPILS)}`,
    'chart of a year': () =>
      `/v1/charts?name=group_reading_time_by_reading_level_over_time&start_date=${from}&end_date=${to}`,
    'who needs me': (school) => `/v1/enterprises/${school}/needs`,
  };
  const kinds = Object.keys(calls);
  return () => {
    const school = 1 + oneOf(schools);
    if (Math.random() < 0.1) {
      const sessions = Array.from({ length: 5 }, (_, n) => ({
        id: randomUUID(),
        book_id: bookId,
        started_at: new Date(Date.now() - (n + 1) * 600_000).toISOString(),
        reading_time: 300,
        last_page: 1,
        words_attempted: 100,
        words_correct: 92,
        has_completed_book: false,
        heatmap: [10],
        played_words: ['castle'],
        skipped_words: [],
      }));
      return {
        kind: 'intake',
        method: 'POST',
        path: '/v1/reader/sessions',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${pupilToken((school - 1) * PUPILS + 1 + oneOf(PUPILS))}`,
        },
        body: JSON.stringify({ sessions }),
      };
    }
    const kind = kinds[oneOf(kinds.length)] ?? '';
    // Of a whole school's chart and of each of its pupils only the admin sees everything.
    const member = kind === 'a pupil' || kind === 'chart of a year' ? 0 : oneOf(STAFF);
    const headers = { authorization: `Bearer ${staffToken((school - 1) * STAFF + 1 + member)}` };
    return { kind, path: calls[kind]?.(school) ?? '', headers };
  };
}

/** The rate at which the machine is as busy as it is to be, whatever else runs on it, found in a few short loads. */
async function findRate(
  urls: readonly string[],
  seconds: number,
  next: () => Asking & { kind: string },
  say: (line: string) => void,
): Promise<number> {
  // The portal and the database may still be at work that their start has left.
  let others = 1;
  for (let n = 0; n < CALIBRATIONS && others > BUSY / 4; n += 1)
    others = Math.min(others, (await openLoad(urls, 0.1, seconds, next)).busy);
  // A trial: what is found says nothing.
  if (others > BUSY / 2) {
    say(`Other work keeps the processors busy for ${percent(others)}: asking ${perSecond(FIRST_RATE / 4)}.`);
    return FIRST_RATE / 4;
  }
  const costs: number[] = [];
  let rate = FIRST_RATE;
  for (let n = 0; n < CALIBRATIONS; n += 1) {
    const { busy } = await openLoad(urls, rate, seconds, next);
    say(
      `At ${perSecond(rate)} the processors are busy for ${percent(busy)}, ${percent(others)} of it with other work.`,
    );
    costs.push(Math.max(busy - others, 0.01) / rate);
    // Of the last ones: the first still waits for compilers and caches.
    // In steps: a machine beyond its limits tells nothing of what lies below them.
    rate = Math.min(rate * 1.6, (BUSY - others) / median(costs.slice(-3)));
  }
  return rate;
}

const timesOf = ({ answers }: OpenLoad, isChosen: (kind: string) => boolean): number[] =>
  answers.filter(({ kind }) => isChosen(kind)).map(({ milliseconds }) => milliseconds);

/**
 * Loads that kept the processors as busy as they are to be, on a host that left them to the machine: others are made again,
 * at a rate that follows from them.
 */
async function makeLoads(
  urls: readonly string[],
  seconds: number,
  first: number,
  next: () => Asking & { kind: string },
  say: (line: string) => void,
): Promise<OpenLoad[]> {
  const loads: OpenLoad[] = [];
  const counts = ({ busy, stolen }: OpenLoad) => Math.abs(busy - BUSY) <= BUSY_WITHIN && stolen <= MOST_STOLEN;
  let rate = first;
  while (loads.length < MOST_ROUNDS && loads.filter(counts).length < ROUNDS) {
    const load = await openLoad(urls, rate, seconds, next);
    say(
      `Asked ${perSecond(rate)} for ${seconds} s: busy for ${percent(load.busy)}, ${(load.stolen * 100).toFixed(1)} % stolen by the host.`,
    );
    loads.push(load);
    rate *= Math.min(Math.max(BUSY / load.busy, 0.7), 1.4);
  }
  const counted = loads.filter(counts);
  return counted.length < ROUNDS ? loads.slice(-ROUNDS) : counted;
}

/** Seconds that a command of the portal takes. */
function timeCommand(command: 'backup' | 'restore', file: string, databaseUrl: string): Promise<number> {
  const start = performance.now();
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'server/src/backup.ts'), command, file], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? done((performance.now() - start) / 1000) : reject(new Error(`${command} ended with ${code}.`)),
    );
  });
}

/** A backup of the database, and the same restored into another one, each by the portal's own command. */
async function measureBackup(postgres: Postgres): Promise<Figure[]> {
  const file = join(ROOT, '.cache/bench/schools.backup');
  rmSync(file, { force: true });
  const [size] = await ask<{ bytes: string }>(
    postgres.url('postgres', 'portal'),
    "select pg_database_size('portal') as bytes",
  );
  const backup = await timeCommand('backup', file, postgres.url(OWNER, 'portal'));
  const bytes = statSync(file).size;
  await ask(postgres.url(), 'drop database if exists restored');
  await ask(postgres.url(), `create database restored owner ${OWNER}`);
  const restore = await timeCommand('restore', file, postgres.url(OWNER, 'restored'));
  await ask(postgres.url(), 'drop database restored');
  rmSync(file);
  const megabytes = (count: number) => `${Math.round(count / 1e6)} MB`;
  return [
    told('The database, on the disk', megabytes(Number(size?.bytes))),
    told('Its backup', `${backup.toFixed(1)} s, ${megabytes(bytes)}`),
    told('The backup restored, and all sums checked', `${restore.toFixed(1)} s`),
  ];
}

/**
 * A day of many schools: answers at a rate that keeps the processors busy for six tenths, in the middle of three loads, then a backup and its restore.
 * @param seconds how long each load lasts that is measured
 */
export async function measureSchools(schools: number, seconds: number, say: (line: string) => void): Promise<Figure[]> {
  const postgres = await openSchools(schools, say);
  try {
    const url = postgres.url(OWNER, 'portal');
    const [book] = await ask<{ id: string }>(url, 'select min(id) as id from books');
    const next = makeDay(schools, Number(book?.id));
    // As docs/running.md advises: as many as there are processors.
    const portals: Served[] = [];
    let loads: OpenLoad[];
    try {
      for (let n = 0; n < availableParallelism(); n += 1) portals.push(await servePortal(url));
      const urls = portals.map((portal) => portal.url);
      const rate = await findRate(urls, Math.max(3, seconds / 6), next, say);
      loads = await makeLoads(urls, seconds, rate, next, say);
    } finally {
      for (const portal of portals) await portal.stop();
    }
    const over = (isChosen: (kind: string) => boolean) => loads.map((load) => timesOf(load, isChosen));
    const isStaff = (kind: string) => kind !== 'intake';
    const slowness = over(isStaff).map((values) => quantile(values, 0.99) / quantile(values, 0.5));
    const kinds = [...new Set(loads.flatMap(({ answers }) => answers.map(({ kind }) => kind)))].sort();
    const spread = (isChosen: (kind: string) => boolean) =>
      [0.5, 0.99].map((share) => ms(median(over(isChosen).map((values) => quantile(values, share))))).join(', ');
    return [
      told(`Asked, of ${schools} schools`, perSecond(median(loads.map(({ answers }) => answers.length / seconds)))),
      told('Processors busy, with the load and the database', loads.map(({ busy }) => percent(busy)).join(', ')),
      told('Of the processors, stolen by the host', loads.map(({ stolen }) => percent(stolen)).join(', ')),
      told('Staff: the middle answer, and the slowest but one in a hundred', spread(isStaff)),
      atMost('Staff: the slowest but one in a hundred, of the middle', median(slowness), 10, times),
      told('The same in each load', slowness.map(times).join(', ')),
      ...kinds.map((kind) =>
        told(
          `Of these, ${kind}`,
          spread((other) => other === kind),
        ),
      ),
      ...(await measureBackup(postgres)),
    ];
  } finally {
    await postgres.stop();
  }
}
