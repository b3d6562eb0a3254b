import { sql } from 'kysely';
import type { PlatformDb } from '../../../database/platform-db.ts';

/** Rows per statement. */
const BATCH_SIZE = 1000;

/** The first school after `after`; undefined at the end. */
export async function findNextSchool(db: PlatformDb, after: number): Promise<number | undefined> {
  const row = await db.tx
    .selectFrom('schools')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** How many accounts have recovery codes whose digests a key made. */
export async function countCodeOwners(db: PlatformDb, fingerprint: string): Promise<number> {
  const { count } = await db.tx
    .selectFrom('recovery_codes')
    .select(sql<number>`count(distinct user_id)`.as('count'))
    .where('key_fingerprint', '=', fingerprint)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes a batch of the recovery codes whose digests a key made. Returns whether there may be more. */
export async function deleteCodesOfKey(db: PlatformDb, fingerprint: string): Promise<boolean> {
  const { rows } = await sql`
    delete from recovery_codes where (user_id, digest) in (
      select user_id, digest from recovery_codes where key_fingerprint = ${fingerprint} limit ${BATCH_SIZE})
    returning user_id`.execute(db.tx);
  return rows.length === BATCH_SIZE;
}

/** Deletes a batch of the programs that are recognised by their network. Returns whether there may be more. */
export async function deleteProgramDevices(db: PlatformDb): Promise<boolean> {
  const { rows } = await sql`
    delete from devices where (user_id, token_hash) in (
      select user_id, token_hash from devices where network_hash is not null limit ${BATCH_SIZE})
    returning user_id`.execute(db.tx);
  return rows.length === BATCH_SIZE;
}

/** Deletes the keyed digests of a school: of its networks, and of its pupils' UPNs and dates of birth. */
export async function deleteDigestsOfSchool(db: PlatformDb, schoolId: number): Promise<void> {
  await db.tx.deleteFrom('trusted_networks').where('school_id', '=', schoolId).execute();
  for (const table of ['pupils', 'school_records_pupils'] as const)
    await db.tx
      .updateTable(table)
      .set({ upn_digest: null, birth_digest: null })
      .where('school_id', '=', schoolId)
      .where((row) => row.or([row('upn_digest', 'is not', null), row('birth_digest', 'is not', null)]))
      .execute();
}
