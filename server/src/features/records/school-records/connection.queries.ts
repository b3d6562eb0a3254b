import type { SchoolRecordsConnectionSettings } from '#contract/school-records-connection.ts';
import { randomUUID } from 'node:crypto';
import type { SchoolRecordsCheckResult } from '../../../database/column-types.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';

export type ConnectionRow = NonNullable<Awaited<ReturnType<typeof findConnection>>>;

export const findConnection = (db: SchoolDb) =>
  db.tx.selectFrom('school_records_connections').selectAll().where('school_id', '=', db.schoolId).executeTakeFirst();

/** The connection, locked, if this check may still store its result. */
export const lockClaimed = (db: SchoolDb, claimId: string) =>
  db.tx
    .selectFrom('school_records_connections')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .where('claim_id', '=', claimId)
    .forUpdate()
    .executeTakeFirst();

/** A running check of the former address must store nothing. */
const NO_CLAIM = { claim_id: null, claimed_until: null };

/** Creates the connection, or replaces its address and credentials. Choices stay. */
export async function saveConnection(
  db: SchoolDb,
  address: { url: string; token_url: string; client_id: string; secret: Buffer },
  now: Date,
): Promise<void> {
  const changed = { ...address, ...NO_CLAIM, is_failure_mailed: false };
  await db.tx
    .insertInto('school_records_connections')
    .values({
      school_id: db.schoolId,
      ...changed,
      classes: '[]',
      school_years: '[]',
      is_automatic: false,
      is_paused: false,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('school_id').doUpdateSet({ ...changed, checked_at: null, result: null }))
    .execute();
}

/** Changes what is given. False without a connection. */
export async function updateConnection(
  db: SchoolDb,
  {
    school,
    classes,
    school_years: years,
    is_automatic: isAutomatic,
    is_paused: isPaused,
  }: SchoolRecordsConnectionSettings,
): Promise<boolean> {
  const row = await db.tx
    .updateTable('school_records_connections')
    .set({
      ...NO_CLAIM,
      ...(school && { school: JSON.stringify(school) }),
      ...(classes && { classes: JSON.stringify(classes) }),
      ...(years && { school_years: JSON.stringify(years) }),
      ...(isAutomatic !== undefined && { is_automatic: isAutomatic }),
      ...(isPaused !== undefined && { is_paused: isPaused }),
    })
    .where('school_id', '=', db.schoolId)
    .returning('school_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the deleted connection; undefined without one. */
export const deleteConnection = (db: SchoolDb) =>
  db.tx
    .deleteFrom('school_records_connections')
    .where('school_id', '=', db.schoolId)
    .returning('url')
    .executeTakeFirst();

/** Claims the connection for one check, which no other then makes. Undefined when there is none, or it is claimed. */
export async function claimConnection(
  db: SchoolDb,
  now: Date,
  until: Date,
): Promise<{ claimId: string; connection: ConnectionRow } | undefined> {
  const claimId = randomUUID();
  const connection = await db.tx
    .updateTable('school_records_connections')
    .set({ claim_id: claimId, claimed_until: until })
    .where('school_id', '=', db.schoolId)
    .where(({ eb, or }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
    .returningAll()
    .executeTakeFirst();
  return connection && { claimId, connection };
}

/** Ends a check, with its result if it has one. Without the claim nothing happens. */
export async function endClaim(
  db: SchoolDb,
  claimId: string,
  stored: { checked_at: Date; result: SchoolRecordsCheckResult; is_failure_mailed: boolean } | undefined,
): Promise<void> {
  await db.tx
    .updateTable('school_records_connections')
    .set({ ...NO_CLAIM, ...(stored && { ...stored, result: JSON.stringify(stored.result) }) })
    .where('school_id', '=', db.schoolId)
    .where('claim_id', '=', claimId)
    .execute();
}

/** A page, by ID, of the schools whose connection is not paused. */
export async function listConnectedSchools(db: PlatformDb, after: number, limit: number): Promise<number[]> {
  const rows = await db.tx
    .selectFrom('school_records_connections')
    .select('school_id')
    .where('school_id', '>', after)
    .where('is_paused', '=', false)
    .orderBy('school_id')
    .limit(limit)
    .execute();
  return rows.map(({ school_id }) => school_id);
}

/** The latest run of a source that was made or decided since a moment; undefined without one. */
export const findLatestRun = (db: SchoolDb, sourceId: number, since: Date) =>
  db.tx
    .selectFrom('runs')
    .select(['state', 'plan_digest'])
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where(({ eb, or }) => or([eb('created_at', '>', since), eb('closed_at', '>', since)]))
    .orderBy('id', 'desc')
    .executeTakeFirst();

/** The state of the latest run of a source that an admin or a nightly check has closed. */
export async function findLatestClosedState(db: SchoolDb, sourceId: number): Promise<string | undefined> {
  const row = await db.tx
    .selectFrom('runs')
    .select('state')
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where('state', '<>', 'planned')
    // A file that a nightly check replaced was discarded by no one.
    .where(({ eb, or }) => or([eb('state', '<>', 'discarded'), eb('closed_by', 'is not', null)]))
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.state;
}
