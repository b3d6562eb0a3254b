import { sql } from 'kysely';
import { deleteEntries } from '../../../audit/erase-details.queries.ts';
import { BATCH_SIZE } from '../../../database/batches.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { TableName } from '../../../database/table-kinds.ts';
import { tableEntries } from '../registry/registry.public.ts';
import type { ErasureCounts } from './erasure-receipts.queries.ts';

/** Deleted last: the request, the admins who get the last email, and the place of the receipt. */
const LAST: readonly TableName[] = ['school_closings', 'staff', 'erasures'];
/** Deleted with the end of the chain: `endChain`. */
const OF_CHAIN: readonly TableName[] = ['audit_seals'];

/** The tables whose rows end with their school, those that refer to others first. */
export const ENDING_TABLES: readonly TableName[] = tableEntries
  .filter(([, { kind, outlivesSchool, endsWithSchool }]) => (kind === 'school' ? !outlivesSchool : endsWithSchool))
  .map(([table]) => table)
  .filter((table) => !LAST.includes(table) && !OF_CHAIN.includes(table))
  .toReversed();

/** Counts the rows of the school that an erasure will delete. */
export async function countEndingRows({ tx }: PlatformDb, schoolId: number): Promise<ErasureCounts> {
  const ofSchool = tableEntries.filter(([, { kind, outlivesSchool }]) => kind === 'school' && !outlivesSchool);
  const { rows } = await sql<Record<string, number>>`select ${sql.join(
    ofSchool.map(
      ([table]) => sql`(select count(*) from ${sql.table(table)} where school_id = ${schoolId}) as ${sql.ref(table)}`,
    ),
  )}`.execute(tx);
  return rows[0] ?? {};
}

/** The columns of the primary key of each table. */
export async function listPrimaryKeys({ tx }: SchoolDb): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ name: string; key: string[] }>`
    select conrelid::regclass::text as name,
      array(select attname::text from unnest(conkey) as n join pg_attribute on attrelid = conrelid and attnum = n) as key
    from pg_constraint where contype = 'p' and connamespace = 'public'::regnamespace`.execute(tx);
  return new Map(rows.map(({ name, key }) => [name, key]));
}

/** Deletes a batch of a school's rows of one table. Returns how many. */
export async function deleteBatchOfSchool(
  db: PlatformDb,
  schoolId: number,
  table: TableName,
  key: readonly string[],
): Promise<number> {
  if (table === 'audit_log') return deleteEntries(db, schoolId, BATCH_SIZE);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where school_id = ${schoolId} and (${columns}) in (
      select ${columns} from ${sql.table(table)} where school_id = ${schoolId} limit ${BATCH_SIZE})`.execute(db.tx);
  return Number(numAffectedRows);
}

/** A request to close the school, locked until the transaction ends. */
export const lockClosing = (db: SchoolDb) =>
  db.tx.selectFrom('school_closings').selectAll().where('school_id', '=', db.schoolId).forUpdate().executeTakeFirst();

/**
 * Records that the erasure begins, after which the school cannot be reopened, and what it will delete. Without a request,
 * as after a restore, it makes one.
 */
export async function markErasing(db: SchoolDb, counts: ErasureCounts, now: Date): Promise<void> {
  const erasing = { erased_counts: JSON.stringify(counts) };
  const times = { requested_at: now, takes_effect_at: now, closed_at: now, erase_at: now };
  await db.tx
    .insertInto('school_closings')
    .values({ school_id: db.schoolId, ...times, ...erasing })
    .onConflict((conflict) => conflict.column('school_id').doUpdateSet(erasing))
    .execute();
}

/** Deletes what was needed until the end, and clears what identifies a school besides its name. Returns the name. */
export async function endSchool(db: SchoolDb): Promise<string> {
  for (const table of LAST) await sql`delete from ${sql.table(table)} where school_id = ${db.schoolId}`.execute(db.tx);
  const { name } = await db.tx
    .updateTable('schools')
    .set({ urn: null, recording_enabled: false })
    .where('id', '=', db.schoolId)
    .returning('name')
    .executeTakeFirstOrThrow();
  return name;
}

/** When the school was created, which its digest contains. */
export async function getCreationTime(db: SchoolDb): Promise<Date> {
  const { created_at: createdAt } = await db.tx
    .selectFrom('schools')
    .select('created_at')
    .where('id', '=', db.schoolId)
    .executeTakeFirstOrThrow();
  return createdAt;
}
