import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectServer, prepareDatabase } from '#server/database/database.ts';
import { hashPassword } from '#server/auth/password-hashing.ts';
import { loadCatalogue } from '#server/features/books/catalogue/catalogue.public.ts';
import { type Postgres, query, startPostgres } from './postgres.ts';
import { ROOT } from './program.ts';

const SCRIPT = join(import.meta.dirname, 'fill.sql');
const CACHE = join(ROOT, '.cache/bench');
/** The role of the server, which owns the tables and is subject to row-level security. */
const OWNER = 'portal';
export const PASSWORD = 'reading-1';
export const STAFF = 8;
export const PUPILS = 400;

/** The filled database. IDs have no gaps and start at `(school - 1) * n + 1`: see fill.sql. */
export interface Environment {
  postgres: Postgres;
  /** Connects as the server does. */
  url: string;
  /** Schools with ten sessions per pupil and year. The other schools follow them: see fill.sql. */
  schools: number;
  tenfold: number;
  empty: number;
  /** Schools with one session per pupil and school day, for three years and for one. */
  dense: number;
  denseYear: number;
  /** Days of the first and last reading session. */
  from: string;
  to: string;
  passwordHash: string;
}

export const staffToken = (userId: number): string => `bench-staff-${userId}`;
export const pupilToken = (pupilId: number): string => `bench-pupil-${pupilId}`;
/** The token of a school's admin. */
export const adminToken = (schoolId: number): string => staffToken((schoolId - 1) * STAFF + 1);
export const firstPupil = (schoolId: number): number => (schoolId - 1) * PUPILS + 1;

/** A hash of the script and the migrations. When it changes, the database is filled again. */
function fingerprint(): string {
  const migrations = join(ROOT, 'server/src/database/migrations');
  const names = readdirSync(migrations, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const hash = createHash('sha256');
  for (const file of [SCRIPT, ...names.sort().map((name) => join(migrations, name))]) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** Starts PostgreSQL with the filled database, which is kept from run to run. */
export async function openEnvironment(schools: number, printLine: (line: string) => void): Promise<Environment> {
  const name = `${fingerprint()}-${schools}`;
  const filledMark = join(CACHE, name, 'filled');
  mkdirSync(CACHE, { recursive: true });
  for (const other of readdirSync(CACHE))
    if ((other.endsWith(`-${schools}`) && other !== name) || (other === name && !existsSync(filledMark)))
      rmSync(join(CACHE, other), { recursive: true });
  const postgres = await startPostgres(join(CACHE, name));
  const url = postgres.url(OWNER, 'portal');
  const admin = postgres.url('postgres', 'portal');
  if (!existsSync(filledMark)) {
    const passwordHash = await hashPassword(PASSWORD, 'full');
    await fill(postgres, schools, passwordHash, printLine);
    writeFileSync(filledMark, passwordHash);
  }
  await reset(admin, schools + 2);
  const [days] = await query<{ from: string; to: string }>(
    admin,
    'select min(day)::text as from, max(day)::text as to from reading_days where school_id = $1',
    [schools + 4],
  );
  return {
    postgres,
    url,
    schools,
    tenfold: schools + 1,
    empty: schools + 2,
    dense: schools + 3,
    denseYear: schools + 4,
    ...days!,
    passwordHash: readFileSync(filledMark, 'utf8'),
  };
}

/** Creates the portal's database on a new server and fills it. */
async function fill(
  postgres: Postgres,
  schools: number,
  passwordHash: string,
  printLine: (line: string) => void,
): Promise<void> {
  printLine(`Filling: ${schools} schools, ${schools * PUPILS} pupils, ${schools * PUPILS * 10} reading sessions …`);
  const start = performance.now();
  await query(postgres.url(), `create role ${OWNER} login createrole`);
  await query(postgres.url(), `create database portal owner ${OWNER}`);
  const database = connectServer(postgres.url(OWNER, 'portal'), { connections: 2 });
  await prepareDatabase(database, async () => undefined);
  await loadCatalogue(database, new Date());
  await database.close();
  const settings = `set bench.schools = ${schools}; set bench.password_hash = '${passwordHash}';`;
  await query(postgres.url('postgres', 'portal'), `${settings}\n${readFileSync(SCRIPT, 'utf8')}`);
  printLine(`Filled in ${Math.round((performance.now() - start) / 1000)} s.`);
}

/** Deletes what an earlier run stored in the school without reading, creates valid sessions, and vacuums. */
async function reset(admin: string, emptySchool: number): Promise<void> {
  for (const table of ['reading_sessions', 'reading_days', 'school_reading_days', 'book_completions'])
    await query(admin, `delete from ${table} where school_id = $1`, [emptySchool]);
  await query(
    admin,
    `truncate sessions, rate_limits;
     insert into sessions (token_hash, school_id, user_id, pupil_id, created_at, last_used_at, expires_at)
     select sha256(convert_to('bench-staff-' || user_id, 'UTF8')), school_id, user_id, null, now(), now(), now() + interval '90 days' from user_schools
     union all
     select sha256(convert_to('bench-pupil-' || id, 'UTF8')), school_id, null, id, now(), now(), now() + interval '90 days' from pupils`,
  );
  await query(admin, 'vacuum analyze');
  await query(admin, 'checkpoint');
}
