import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connectServer, prepareDatabase } from '#server/database/database.ts';
import { hashPassword } from '#server/auth/password-hashing.ts';
import { loadCatalogue } from '#server/features/catalogue/catalogue.public.ts';
import pg from 'pg';
import { type Postgres, startPostgres } from './postgres.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** The account that the server connects as: it owns the tables, and is no superuser, so that row-level security binds it. */
export const OWNER = 'portal';
export const PASSWORD = 'reading-1';

/** The filled database: ids run without gaps, `(school - 1) * n + 1` onwards, as fill.sql says. */
export interface SimulationEnvironment {
  postgres: Postgres;
  /** Connects as the server does. */
  url: string;
  /** Schools with reading, ten sessions a pupil and year; the others come after them, see fill.sql. */
  schools: number;
  tenfold: number;
  empty: number;
  /** A session a pupil and school day, for three years and for the last of them. */
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

export async function ask<Row extends pg.QueryResultRow>(
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

/** The scripts that fill a database: its own, and the sums of what that one wrote. */
const scriptsOf = (script: string) => [script, 'totals.sql'].map((name) => join(import.meta.dirname, name));

/** What a filled folder depends on: when it changes, the database is filled anew. */
export function fingerprint(script: string): string {
  const migrations = join(ROOT, 'server/src/database/migrations');
  const files = [...scriptsOf(script), ...readdirSync(migrations).map((name) => join(migrations, name))];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** Starts PostgreSQL with the filled database: the one kept of an earlier run, or a new one. */
export async function openEnvironment(schools: number, say: (line: string) => void): Promise<SimulationEnvironment> {
  const cache = join(ROOT, '.cache/bench');
  const name = `${fingerprint('fill.sql')}-${schools}`;
  const folder = join(cache, name);
  const mark = join(folder, 'filled');
  mkdirSync(cache, { recursive: true });
  for (const other of readdirSync(cache))
    if ((other.endsWith(`-${schools}`) && other !== name) || (other === name && !existsSync(mark)))
      rmSync(join(cache, other), { recursive: true });
  const postgres = await startPostgres(folder);
  try {
    const url = postgres.url(OWNER, 'portal');
    const admin = postgres.url('postgres', 'portal');
    if (!existsSync(mark)) {
      const passwordHash = await hashPassword(PASSWORD, 'full');
      await fill(postgres, url, schools, passwordHash, say);
      writeFileSync(mark, passwordHash);
    }
    await tidy(admin, schools + 2);
    const [days] = await ask<{ from: string; to: string }>(
      admin,
      'select min(day)::text as from, max(day)::text as to from reading_days where school_id <= $1',
      [schools],
    );
    if (!days) throw new Error('The database has no reading in it.');
    return {
      postgres,
      url,
      schools,
      tenfold: schools + 1,
      empty: schools + 2,
      dense: schools + 3,
      denseYear: schools + 4,
      ...days,
      passwordHash: readFileSync(mark, 'utf8'),
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
  say: (line: string) => void,
): Promise<void> {
  say(`Filling: ${schools} schools, ${schools * 400} pupils, ${schools * 4000} reading sessions …`);
  await fillBy('fill.sql', postgres, url, schools, passwordHash, say);
}

/** Makes the portal's database on a new server and runs a script that fills it. */
export async function fillBy(
  script: string,
  postgres: Postgres,
  url: string,
  schools: number,
  passwordHash: string,
  say: (line: string) => void,
): Promise<void> {
  const start = performance.now();
  await ask(postgres.url(), `create role ${OWNER} login createrole`);
  await ask(postgres.url(), `create database portal owner ${OWNER}`);
  const database = connectServer(url, () => undefined, 2);
  await prepareDatabase(database, async () => undefined);
  await loadCatalogue(database, new Date());
  await database.close();
  const admin = postgres.url('postgres', 'portal');
  const text = scriptsOf(script)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  await ask(admin, `set bench.schools = ${schools}; set bench.password_hash = '${passwordHash}';\n${text}`);
  say(`Filled in ${Math.round((performance.now() - start) / 1000)} s.`);
}

/** Takes away what an earlier run wrote, begins sessions that have not ended, and leaves tables vacuumed. */
async function tidy(admin: string, emptySchool: number): Promise<void> {
  await ask(
    admin,
    ['reading_sessions', 'reading_days', 'school_reading_days', 'book_completions']
      .map((table) => `delete from ${table} where school_id = ${emptySchool}`)
      .join('; '),
  );
  await ask(
    admin,
    `truncate sessions, rate_limits;
     insert into sessions (token_hash, school_id, user_id, pupil_id, created_at, last_used_at, expires_at)
     select sha256(convert_to('bench-staff-' || id, 'UTF8')), school_id, id, null, now(), now(), now() + interval '90 days' from users
     union all
     select sha256(convert_to('bench-pupil-' || id, 'UTF8')), school_id, null, id, now(), now(), now() + interval '90 days'
     from pupils where school_id = ${emptySchool}`,
  );
  await ask(admin, 'vacuum analyze');
  await ask(admin, 'checkpoint');
}
