import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connectServer, prepareDatabase } from '#server/database/database.ts';
import { hashPassword } from '#server/auth/password-hashing.ts';
import { loadCatalogue } from '#server/features/books/catalogue/catalogue.public.ts';
import pg from 'pg';
import { type Postgres, startPostgres } from './postgres.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The role of the server, which owns the tables and is subject to row-level security. */
export const OWNER = 'portal';
export const PASSWORD = 'reading-1';

/** The filled database. IDs have no gaps and start at `(school - 1) * n + 1`: see fill.sql. */
export interface SimulationEnvironment {
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
export const adminToken = (schoolId: number): string => staffToken((schoolId - 1) * 8 + 1);
export const firstPupil = (schoolId: number): number => (schoolId - 1) * 400 + 1;

export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<Row>(text, values);
    return result.rows ?? [];
  } finally {
    await client.end();
  }
}

/** The scripts that fill a database: its own, then the totals. */
const listScripts = (script: string) => [script, 'totals.sql'].map((name) => join(import.meta.dirname, name));

/** A hash of the scripts and migrations. When it changes, the database is filled again. */
export function fingerprint(script: string): string {
  const migrations = join(ROOT, 'server/src/database/migrations');
  const names = readdirSync(migrations, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const files = [...listScripts(script), ...names.sort().map((name) => join(migrations, name))];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** Starts PostgreSQL with the filled database, which is kept from run to run. */
export async function openEnvironment(
  schools: number,
  printLine: (line: string) => void,
): Promise<SimulationEnvironment> {
  const cache = join(ROOT, '.cache/bench');
  const name = `${fingerprint('fill.sql')}-${schools}`;
  const folder = join(cache, name);
  const filledMark = join(folder, 'filled');
  mkdirSync(cache, { recursive: true });
  for (const other of readdirSync(cache))
    if ((other.endsWith(`-${schools}`) && other !== name) || (other === name && !existsSync(filledMark)))
      rmSync(join(cache, other), { recursive: true });
  const postgres = await startPostgres(folder);
  try {
    const url = postgres.url(OWNER, 'portal');
    const admin = postgres.url('postgres', 'portal');
    if (!existsSync(filledMark)) {
      const passwordHash = await hashPassword(PASSWORD, 'full');
      await fill(postgres, url, schools, passwordHash, printLine);
      writeFileSync(filledMark, passwordHash);
    }
    await reset(admin, schools + 2);
    const [days] = await query<{ from: string; to: string }>(
      admin,
      'select min(day)::text as from, max(day)::text as to from reading_days where school_id <= $1',
      [schools],
    );
    if (!days) throw new Error('The database contains no reading sessions.');
    return {
      postgres,
      url,
      schools,
      tenfold: schools + 1,
      empty: schools + 2,
      dense: schools + 3,
      denseYear: schools + 4,
      ...days,
      passwordHash: readFileSync(filledMark, 'utf8'),
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function fill(
  postgres: Postgres,
  url: string,
  schools: number,
  passwordHash: string,
  printLine: (line: string) => void,
): Promise<void> {
  printLine(`Filling: ${schools} schools, ${schools * 400} pupils, ${schools * 4000} reading sessions …`);
  await fillWith('fill.sql', postgres, url, schools, passwordHash, printLine);
}

/** Creates the portal's database on a new server and runs a script that fills it. */
export async function fillWith(
  script: string,
  postgres: Postgres,
  url: string,
  schools: number,
  passwordHash: string,
  printLine: (line: string) => void,
): Promise<void> {
  const start = performance.now();
  await query(postgres.url(), `create role ${OWNER} login createrole`);
  await query(postgres.url(), `create database portal owner ${OWNER}`);
  const database = connectServer(url, { connections: 2 });
  await prepareDatabase(database, async () => undefined);
  await loadCatalogue(database, new Date());
  await database.close();
  const admin = postgres.url('postgres', 'portal');
  const text = listScripts(script)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  await query(admin, `set bench.schools = ${schools}; set bench.password_hash = '${passwordHash}';\n${text}`);
  printLine(`Filled in ${Math.round((performance.now() - start) / 1000)} s.`);
}

/** Deletes what an earlier run wrote, creates valid sessions, and vacuums. */
async function reset(admin: string, emptySchool: number): Promise<void> {
  await query(
    admin,
    ['reading_sessions', 'reading_days', 'school_reading_days', 'book_completions']
      .map((table) => `delete from ${table} where school_id = ${emptySchool}`)
      .join('; '),
  );
  await query(
    admin,
    `truncate sessions, rate_limits;
     insert into sessions (token_hash, school_id, user_id, pupil_id, created_at, last_used_at, expires_at)
     select sha256(convert_to('bench-staff-' || id, 'UTF8')), school_id, id, null, now(), now(), now() + interval '90 days' from users
     union all
     select sha256(convert_to('bench-pupil-' || id, 'UTF8')), school_id, null, id, now(), now(), now() + interval '90 days'
     from pupils where school_id = ${emptySchool}`,
  );
  await query(admin, 'vacuum analyze');
  await query(admin, 'checkpoint');
}
