import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Analyses tables that have never been analysed and those of which more than a tenth has changed since, as PostgreSQL's
 * autovacuum does, and returns their names. Without statistics the planner expects one row of each table, and plans of
 * charts are 10 to 70 times slower. PostgreSQL plans prepared statements again afterwards.
 */
export async function refreshStatistics(kysely: Kysely<Tables>): Promise<string[]> {
  // A session reports its changes up to ten seconds late.
  await sql`select pg_stat_force_next_flush()`.execute(kysely);
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_stat_user_tables s on s.relid = c.oid
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
      and (c.reltuples < 0 and pg_relation_size(c.oid) > 0
        or s.n_mod_since_analyze > 50 + greatest(c.reltuples, 0) / 10)
    order by 1`.execute(kysely);
  const names = rows.map(({ name }) => name);
  if (names.length > 0) await sql.raw(`analyze ${names.join(', ')}`).execute(kysely);
  return names;
}

/** Analyses every table and makes the space of deleted rows usable again. */
export async function vacuum(kysely: Kysely<Tables>): Promise<void> {
  await sql`vacuum analyze`.execute(kysely);
}
