import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../statements.ts';

export const runsInTransaction = false;

/** Validates the foreign keys of `0202_origins_of_sessions`, and builds the indexes by which an unlinked account ends sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['sessions', 'login_steps']) {
    await sql.raw(`alter table ${table} validate constraint ${table}_linked_account_id_fkey`).execute(db);
    const target = `${table} (linked_account_id) where linked_account_id is not null`;
    await createIndexConcurrently(db, `${table}_by_linked_account`, target);
  }
}
