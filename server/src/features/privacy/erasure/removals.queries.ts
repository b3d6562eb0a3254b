import { sql } from 'kysely';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { TableName } from '../../../database/table-kinds.ts';

/* What each night removed: docs/retention.md */

/** The number of rows that were removed, by school; `null` for rows that belong to none. */
export type RemovedRows = ReadonlyMap<number | null, number>;

/** Adds to the number of rows that a night removed, in all schools. */
export const addToRun = (db: PlatformDb, table: TableName, day: string, rows: number) =>
  sql`
    insert into retention_runs (day, table_name, removed) values (${day}, ${table}, ${rows})
    on conflict (day, table_name) do update set removed = retention_runs.removed + excluded.removed`.execute(db.tx);

/** Adds to the numbers of rows that a night removed from schools. */
export const addToRemovals = (
  db: PlatformDb | SchoolDb,
  table: TableName,
  day: string,
  schools: readonly (readonly [schoolId: number, rows: number])[],
) =>
  db.tx
    .insertInto('retention_removals')
    .values(schools.map(([school_id, rows]) => ({ school_id, day, table_name: table, removed: rows })))
    .onConflict((conflict) =>
      conflict
        .columns(['school_id', 'day', 'table_name'])
        .doUpdateSet({ removed: sql`retention_removals.removed + excluded.removed` }),
    )
    .execute();

/** Adds what a batch removed to the records of the night: of all schools, and of each. */
export async function recordRemoved(
  db: PlatformDb,
  table: TableName,
  day: string,
  removed: RemovedRows,
): Promise<void> {
  const total = [...removed.values()].reduce((sum, rows) => sum + rows, 0);
  if (total === 0) return;
  await addToRun(db, table, day, total);
  const schools = [...removed].flatMap(([schoolId, rows]) => (schoolId === null ? [] : [[schoolId, rows] as const]));
  if (schools.length > 0) await addToRemovals(db, table, day, schools);
}
