import { type Database } from '#server/database/database.ts';
import { readInPlatform } from '#server/database/platform.ts';
import type { PlatformDb } from '#server/database/platform-db.ts';
import { sql } from 'kysely';

/** Which of the given email addresses and usernames are taken, in one statement. */
export async function listTaken(
  db: PlatformDb,
  emails: readonly string[],
  usernames: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ login: string }>`
    select email_key as login from users where email_key = any (${[...emails]}::text[])
    union all
    select username from pupil_logins where username = any (${[...usernames]}::text[])`.execute(db.tx);
  return new Set(rows.map(({ login }) => login));
}

/** The same outside a transaction. */
export const askReserved = (
  database: Database,
  emails: readonly string[],
  usernames: readonly string[],
): Promise<Set<string>> => readInPlatform(database, (db) => listTaken(db, emails, usernames));

/** If several processes start on one database, one loads the schools and the others wait for its transaction to end. */
export async function lockDemo(db: PlatformDb): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('demonstration schools'))`.execute(db.tx);
}
