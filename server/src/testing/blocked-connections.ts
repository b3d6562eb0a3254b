import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/**
 * The number of connections to the test's database that wait for a lock. Call it outside a transaction, which sees only
 * the connections that existed when it first asked.
 */
export async function countBlockedConnections({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct l.pid)::int as n from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where not l.granted and a.datname = current_database()`.execute(kysely);
  return rows[0]?.n ?? 0;
}
