import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { hashPassword } from '#server/auth/password-hashing.ts';
import { query, fillWith, fingerprint, OWNER, PASSWORD, pupilToken, staffToken } from '../harness/environment.ts';
import type { LoadRequest } from '../harness/load.ts';
import { atMost, type Figure, ms, percent, perSecond, times, info } from '../harness/figures.ts';
import { type OpenLoad, openLoad } from '../harness/open-load.ts';
import { type Postgres, startPostgres } from '../harness/postgres.ts';
import { type ServerProcess, servePortal } from '../harness/server-process.ts';
import { median, quantile } from '../harness/rounds.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Requests per second in the first load. Later loads keep the processors busy for this share. */
const INITIAL_RATE = 60;
const TARGET_BUSY = 0.6;
const CALIBRATIONS = 5;
/** Measured loads. The median ignores one that a disk has delayed. */
const ROUNDS = 3;
/** Attempts to get valid loads. If too few are valid, the last ones are reported. */
const MAX_ROUNDS = 9;
/** The deviation from the target within which a load is valid. */
const BUSY_TOLERANCE = 0.03;
/** A load is invalid if the host gave more of the processors to other machines. */
const MAX_STOLEN = 0.01;
const DAY = 86_400_000;

const PUPILS = 300;
const STAFF = 8;

/** Starts PostgreSQL with the database of schools.sql, which is kept from run to run. */
async function openSchools(schools: number, printLine: (line: string) => void): Promise<Postgres> {
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
      printLine(`Filling: ${schools} schools, ${schools * PUPILS} pupils, ${schools * 10_000} reading sessions …`);
      const passwordHash = await hashPassword(PASSWORD, 'full');
      await fillWith('schools.sql', postgres, postgres.url(OWNER, 'portal'), schools, passwordHash, printLine);
      writeFileSync(mark, '');
    }
    await query(admin, 'truncate rate_limits');
    // The use of a session is recorded once an hour, which would otherwise happen for all of them in the first load.
    await query(admin, 'update sessions set last_used_at = now()');
    await query(admin, 'vacuum analyze');
    await query(admin, 'checkpoint');
    return postgres;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
const randomIndex = (count: number): number => Math.floor(Math.random() * count);

/** Requests from random schools: nine in ten from staff, others from a pupil's device with five sessions. */
function createRequests(schools: number, bookId: number): () => LoadRequest & { kind: string } {
  const [from, to] = [toDay(Date.now() - 364 * DAY), toDay(Date.now())];
  const calls: Record<string, (school: number) => string> = {
    'who am I': () => '/v1/users/me',
    'the school': (school) => `/v1/enterprises/${school}`,
    'pupils, by name': (school) =>
      `/v1/enterprises/${school}/readers?sort[name]=asc&page=${1 + randomIndex(5)}&per_page=50`,
    'pupils, searched': (school) =>
      `/v1/enterprises/${school}/readers?search=${['ada', 'be', 'green'][randomIndex(3)]}&sort[last_read_at]=desc&page=1&per_page=50`,
    'a pupil': (school) => `/v1/enterprises/${school}/readers/${(school - 1) * PUPILS + 1 + randomIndex(PUPILS)}`,
    'chart of a year': () =>
      `/v1/charts?name=group_reading_time_by_reading_level_over_time&start_date=${from}&end_date=${to}`,
    'who needs me': (school) => `/v1/enterprises/${school}/needs`,
  };
  const kinds = Object.keys(calls);
  return () => {
    const school = 1 + randomIndex(schools);
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
          authorization: `Bearer ${pupilToken((school - 1) * PUPILS + 1 + randomIndex(PUPILS))}`,
        },
        body: JSON.stringify({ sessions }),
      };
    }
    const kind = kinds[randomIndex(kinds.length)] ?? '';
    // Only the admin can read the school's chart and all of its pupils.
    const member = kind === 'a pupil' || kind === 'chart of a year' ? 0 : randomIndex(STAFF);
    const headers = { authorization: `Bearer ${staffToken((school - 1) * STAFF + 1 + member)}` };
    return { kind, path: calls[kind]?.(school) ?? '', headers };
  };
}

/** Finds the rate at which the machine reaches the target, in a few short loads. */
async function findRate(
  urls: readonly string[],
  seconds: number,
  next: () => LoadRequest & { kind: string },
  printLine: (line: string) => void,
): Promise<number> {
  // The portal and the database may still be busy after their start.
  let others = 1;
  for (let n = 0; n < CALIBRATIONS && others > TARGET_BUSY / 4; n += 1)
    others = Math.min(others, (await openLoad(urls, 0.1, seconds, next)).busy);
  // The machine is too busy for a measurement, so this is only a trial.
  if (others > TARGET_BUSY / 2) {
    printLine(`Other work keeps the processors busy for ${percent(others)}: sending ${perSecond(INITIAL_RATE / 4)}.`);
    return INITIAL_RATE / 4;
  }
  const costs: number[] = [];
  let rate = INITIAL_RATE;
  for (let n = 0; n < CALIBRATIONS; n += 1) {
    const { busy } = await openLoad(urls, rate, seconds, next);
    printLine(
      `At ${perSecond(rate)} the processors are ${percent(busy)} busy, ${percent(others)} of it with other work.`,
    );
    costs.push(Math.max(busy - others, 0.01) / rate);
    // Only the last loads, because the first one warms up. In steps, because an overloaded machine shows nothing about
    // lower rates.
    rate = Math.min(rate * 1.6, (TARGET_BUSY - others) / median(costs.slice(-3)));
  }
  return rate;
}

const listTimes = ({ responses }: OpenLoad, isChosen: (kind: string) => boolean): number[] =>
  responses.filter(({ kind }) => isChosen(kind)).map(({ milliseconds }) => milliseconds);

/**
 * Returns loads that reached the target on a host that left the processors to the machine. Invalid loads are repeated at
 * an adjusted rate.
 */
async function runLoads(
  urls: readonly string[],
  seconds: number,
  first: number,
  next: () => LoadRequest & { kind: string },
  printLine: (line: string) => void,
): Promise<OpenLoad[]> {
  const loads: OpenLoad[] = [];
  const isValid = ({ busy, stolen }: OpenLoad) =>
    Math.abs(busy - TARGET_BUSY) <= BUSY_TOLERANCE && stolen <= MAX_STOLEN;
  let rate = first;
  while (loads.length < MAX_ROUNDS && loads.filter(isValid).length < ROUNDS) {
    const load = await openLoad(urls, rate, seconds, next);
    printLine(
      `Sent ${perSecond(rate)} for ${seconds} s: ${percent(load.busy)} busy, ${(load.stolen * 100).toFixed(1)} % stolen by the host.`,
    );
    loads.push(load);
    rate *= Math.min(Math.max(TARGET_BUSY / load.busy, 0.7), 1.4);
  }
  const valid = loads.filter(isValid);
  return valid.length < ROUNDS ? loads.slice(-ROUNDS) : valid;
}

/** Runs a command of the portal and returns its duration in seconds. */
function timeCommand(command: 'backup' | 'restore', file: string, databaseUrl: string): Promise<number> {
  const start = performance.now();
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'server/src/backup.ts'), command, file], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', DATABASE_URL: databaseUrl, STAGE: 'local' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? done((performance.now() - start) / 1000) : reject(new Error(`${command} exited with code ${code}.`)),
    );
  });
}

/** Backs up the database and restores it to another one with the portal's commands. */
async function measureBackup(postgres: Postgres): Promise<Figure[]> {
  const file = join(ROOT, '.cache/bench/schools.backup');
  rmSync(file, { force: true });
  const [size] = await query<{ bytes: string }>(
    postgres.url('postgres', 'portal'),
    "select pg_database_size('portal') as bytes",
  );
  const backup = await timeCommand('backup', file, postgres.url(OWNER, 'portal'));
  const bytes = statSync(file).size;
  await query(postgres.url(), 'drop database if exists restored');
  await query(postgres.url(), `create database restored owner ${OWNER}`);
  const restore = await timeCommand('restore', file, postgres.url(OWNER, 'restored'));
  await query(postgres.url(), 'drop database restored');
  rmSync(file);
  const megabytes = (count: number) => `${Math.round(count / 1e6)} MB`;
  return [
    info('Size of the database on disk', megabytes(Number(size?.bytes))),
    info('Backup', `${backup.toFixed(1)} s, ${megabytes(bytes)}`),
    info('Restore, with all rules checked', `${restore.toFixed(1)} s`),
  ];
}

/**
 * How fast are responses for many schools on processors that are 60 % busy? How long do a backup and a restore take?
 * @param seconds the duration of each measured load
 */
export async function measureDayOfSchools(
  schools: number,
  seconds: number,
  printLine: (line: string) => void,
): Promise<Figure[]> {
  const postgres = await openSchools(schools, printLine);
  try {
    const url = postgres.url(OWNER, 'portal');
    const [book] = await query<{ id: string }>(url, 'select min(id) as id from books');
    const next = createRequests(schools, Number(book?.id));
    // One process for each processor, as docs/running.md advises.
    const portals: ServerProcess[] = [];
    let loads: OpenLoad[];
    try {
      for (let n = 0; n < availableParallelism(); n += 1) portals.push(await servePortal(url));
      const urls = portals.map((portal) => portal.url);
      const rate = await findRate(urls, Math.max(3, seconds / 6), next, printLine);
      loads = await runLoads(urls, seconds, rate, next, printLine);
    } finally {
      for (const portal of portals) await portal.stop();
    }
    const listLoads = (isChosen: (kind: string) => boolean) => loads.map((load) => listTimes(load, isChosen));
    const isStaff = (kind: string) => kind !== 'intake';
    const slowness = listLoads(isStaff).map((values) => quantile(values, 0.99) / quantile(values, 0.5));
    const kinds = [...new Set(loads.flatMap(({ responses }) => responses.map(({ kind }) => kind)))].sort();
    const spread = (isChosen: (kind: string) => boolean) =>
      [0.5, 0.99].map((share) => ms(median(listLoads(isChosen).map((values) => quantile(values, share))))).join(', ');
    return [
      info(
        `Requests of ${schools} schools`,
        perSecond(median(loads.map(({ responses }) => responses.length / seconds))),
      ),
      info('Processors busy, including the load and the database', loads.map(({ busy }) => percent(busy)).join(', ')),
      info('Processors stolen by the host', loads.map(({ stolen }) => percent(stolen)).join(', ')),
      info('Staff: median and p99', spread(isStaff)),
      atMost('Staff: p99, of the median', median(slowness), 10, times),
      info('Staff: p99, of the median, in each load', slowness.map(times).join(', ')),
      ...kinds.map((kind) =>
        info(
          `${kind}: median and p99`,
          spread((other) => other === kind),
        ),
      ),
      ...(await measureBackup(postgres)),
    ];
  } finally {
    await postgres.stop();
  }
}
