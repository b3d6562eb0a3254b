import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { monthsOf } from '#contract/period.ts';
import { DAY_MS, monthsBefore } from '../../../clock.ts';
import { BATCH_SIZE } from '../../../database/batches.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { RetentionRule } from '../registry/registry.public.ts';
import { CLOCK_JUMP } from '../../../database/trusted-time.ts';
import { kindOf, type TableName } from '../../../database/table-kinds.ts';
import type { RemovedRows } from '../erasure/erasure.public.ts';

/** Rows with an earlier time are past their period. Undefined for a rule without a period. */
export function cutoffOf(period: Pick<RetentionRule, 'days' | 'months'>, now: Date): Date | undefined {
  const months = monthsOf(period);
  if (months !== undefined) return monthsBefore(now, months);
  return period.days === undefined ? undefined : new Date(now.getTime() - period.days * DAY_MS);
}

/** The rows that are due: with a time up to `cutoff`, of all schools or of one that chose its period. */
export interface DueRows {
  cutoff: Date | undefined;
  schoolId?: number;
}

/** The SQL condition of rows that are due by a rule. */
function dueCondition({ column, where }: RetentionRule, { cutoff, schoolId }: DueRows): RawBuilder<SqlBool> {
  const conditions = [
    ...(schoolId === undefined ? [] : [sql<SqlBool>`school_id = ${schoolId}`]),
    ...(column && cutoff ? [sql<SqlBool>`${sql.ref(column)} <= ${cutoff}`] : []),
    ...(where ? [sql.raw<SqlBool>(where)] : []),
  ];
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** Removes a batch of the rows that are due by a rule of a table. */
export async function removeBatch(
  db: PlatformDb,
  table: TableName,
  rule: RetentionRule,
  due: DueRows,
): Promise<RemovedRows> {
  const { key, clear, linked } = rule;
  const condition = dueCondition(rule, due);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const batch = sql`(${columns}) in (select ${columns} from ${sql.table(table)} where ${condition} limit ${BATCH_SIZE})`;
  const isOfSchool = kindOf(table) === 'school';
  const returning = sql`returning ${isOfSchool ? sql.ref('school_id') : sql`null::bigint as school_id`}${linked ? sql`, id` : sql``}`;
  const { rows } = clear
    ? await sql<{ school_id: number | null; id?: string }>`
        update ${sql.table(table)} set ${sql.join(clear.map((column) => sql`${sql.ref(column)} = null`))}
        where ${batch} ${returning}`.execute(db.tx)
    : await sql<{ school_id: number | null; id?: string }>`
        delete from ${sql.table(table)} where ${batch} ${returning}`.execute(db.tx);
  if (linked && rows.length > 0)
    await sql`delete from ${sql.table(linked.table)}
      where ${sql.ref(linked.column)} = any (${rows.map(({ id }) => id)}::uuid[])`.execute(db.tx);
  const removed = new Map<number | null, number>();
  for (const { school_id: schoolId } of rows) removed.set(schoolId, (removed.get(schoolId) ?? 0) + 1);
  return removed;
}

/** At most `limit` people in a table who are due, by school, except those of some schools. */
export async function listOverduePeople(
  db: PlatformDb,
  table: TableName,
  rule: RetentionRule,
  due: DueRows,
  except: readonly number[],
  limit: number,
): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ school_id: number; id: number }>`
    select school_id, ${sql.ref(rule.key[1] ?? '')} as id from ${sql.table(table)}
    where ${dueCondition(rule, due)} and school_id <> all (${[...except]}::bigint[])
    order by ${sql.ref(rule.column ?? '')} limit ${limit}`.execute(db.tx);
  const bySchool = new Map<number, number[]>();
  for (const { school_id: schoolId, id } of rows) bySchool.set(schoolId, [...(bySchool.get(schoolId) ?? []), id]);
  return bySchool;
}

/** Records that the rules of a table ran, or that one failed, even if no row was due. */
export const recordRun = (db: PlatformDb, table: TableName, day: string, hasFailed: boolean) =>
  sql`
    insert into retention_runs (day, table_name, has_failed) values (${day}, ${table}, ${hasFailed})
    on conflict (day, table_name) do update set has_failed = excluded.has_failed`.execute(db.tx);

/** A shorter period that a school chose. */
export interface ChosenPeriod {
  school_id: number;
  table_name: TableName;
  days: number;
}

/** A page of the periods that schools chose, by school and table. */
export async function listChosenPeriods(
  db: PlatformDb,
  after: Pick<ChosenPeriod, 'school_id' | 'table_name'> | undefined,
  limit: number,
): Promise<ChosenPeriod[]> {
  const { rows } = await sql<ChosenPeriod>`
    select school_id, table_name, days from retention_periods
    where days is not null and (school_id, table_name) > (${after?.school_id ?? 0}::bigint, ${after?.table_name ?? ''}::text)
    order by school_id, table_name limit ${limit}`.execute(db.tx);
  return rows;
}

/** The tables whose period the school has chosen, with the days; null where it went back to the longest. */
export const listPeriodsOfSchool = (db: SchoolDb) =>
  db.tx.selectFrom('retention_periods').select(['table_name', 'days']).where('school_id', '=', db.schoolId).execute();

export async function setPeriod(db: SchoolDb, table: TableName, days: number | null): Promise<void> {
  await db.tx
    .insertInto('retention_periods')
    .values({ school_id: db.schoolId, table_name: table, days, removed_before: null })
    .onConflict((conflict) => conflict.columns(['school_id', 'table_name']).doUpdateSet({ days }))
    .execute();
}

/** Records the time before which the school's rows of a table are being removed. It never goes back. */
export async function markRemovedBefore(db: SchoolDb, table: TableName, cutoff: Date): Promise<void> {
  await db.tx
    .updateTable('retention_periods')
    .set({ removed_before: sql<Date>`greatest(removed_before, ${cutoff}::timestamptz)` })
    .where('school_id', '=', db.schoolId)
    .where('table_name', '=', table)
    .execute();
}

/** What was removed from the school in its last night, by table. */
export const listRemovalsOfSchool = (db: SchoolDb, day: string) =>
  db.tx
    .selectFrom('retention_removals')
    .select(['table_name', 'removed'])
    .where('school_id', '=', db.schoolId)
    .where('day', '=', day)
    .execute();

/** The day of the last run. */
export async function findLastRun(db: PlatformDb): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`select max(day) as day from retention_runs
    where table_name <> ${CLOCK_JUMP}`.execute(db.tx);
  return rows[0]?.day ?? null;
}

/** A page of nights with what was removed, the latest first. */
export async function listRuns(db: PlatformDb, { limit, offset }: { limit: number; offset: number }) {
  const { rows } = await sql<{ day: string; table_name: TableName; removed: number; has_failed: boolean }>`
    select day, table_name, removed, has_failed from retention_runs
    where day in (select distinct day from retention_runs order by day desc limit ${limit} offset ${offset})
    order by day desc, table_name`.execute(db.tx);
  const { rows: total } = await sql<{ n: number }>`select count(distinct day) as n from retention_runs`.execute(db.tx);
  return { rows, total: total[0]?.n ?? 0 };
}
