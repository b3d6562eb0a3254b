import type { SchoolDb } from '../../../database/school.ts';

interface NewSheet {
  userId: number;
  tokenHash: Buffer;
  sealed: Buffer;
  expiresAt: Date;
}

export async function insertSheet(
  db: SchoolDb,
  { userId, tokenHash, sealed, expiresAt }: NewSheet,
  now: Date,
): Promise<void> {
  await db.tx
    .insertInto('login_sheets')
    .values({
      school_id: db.schoolId,
      token_hash: tokenHash,
      user_id: userId,
      sealed,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
}

/** The sheet behind a link, for the user who created it and until it expires. */
export async function findSheet(
  db: SchoolDb,
  userId: number,
  tokenHash: Buffer,
  now: Date,
): Promise<Buffer | undefined> {
  const row = await db.tx
    .selectFrom('login_sheets')
    .select('sealed')
    .where('school_id', '=', db.schoolId)
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row && Buffer.from(row.sealed);
}
