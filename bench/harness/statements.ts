import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SchoolDb } from '#server/database/school.ts';
import type { Tables } from '#server/database/tables.ts';
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import pg from 'pg';

/** SQL with its values. */
export interface Statement {
  text: string;
  values: readonly unknown[];
}

/** Captures the first statement that `work` would send. */
async function captureStatement(work: (kysely: Kysely<Tables>) => Promise<unknown>): Promise<Statement> {
  const sent: CompiledQuery[] = [];
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: (event) => void sent.push(event.query),
  });
  // Without rows some work fails, after it has sent its statement.
  await work(kysely).catch(() => undefined);
  const first = sent[0];
  if (!first) throw new Error('No statement was sent.');
  return { text: first.sql, values: first.parameters };
}

/** Captures the first statement that `work` would send in a school. */
export const captureSchoolStatement = (
  schoolId: number,
  work: (db: SchoolDb) => Promise<unknown>,
): Promise<Statement> => captureStatement((tx) => work({ tx, schoolId, jobs: undefined } as unknown as SchoolDb));

/** Opens a connection, with the portal's role and settings for a school if one is given. */
export async function connectAs(url: string, schoolId?: number): Promise<pg.Client & { pid: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  if (schoolId !== undefined) await client.query(`set app.school_id = '${schoolId}'; set role portal_school`);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return Object.assign(client, { pid: rows[0]?.pid ?? 0 });
}

/** The processor time of a PostgreSQL backend, which has one thread, in milliseconds. */
const backendTime = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;

/** The backend's processor time for one run of a prepared statement, in milliseconds. */
export async function timeStatement(
  client: pg.Client & { pid: number },
  { text, values }: Statement,
  seconds: number,
): Promise<number> {
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  const end = performance.now() + seconds * 1000;
  const start = backendTime(client.pid);
  let count = 0;
  for (; performance.now() < end; count += 1) await client.query({ name, text, values: [...values] });
  return (backendTime(client.pid) - start) / count;
}
