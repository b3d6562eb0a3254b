import { sql } from 'kysely';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { TableName } from '../../../database/table-kinds.ts';

/* What each night removed: docs/retention.md */

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
