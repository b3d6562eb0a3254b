import type { PlatformDb } from '../database/platform.ts';
import type { SchoolDb } from '../database/school.ts';

export interface Mail {
  recipient: string;
  subject: string;
  html: string;
  text: string;
}

/** Writes a mail into the outbox and returns its id. */
export async function insertMail(db: SchoolDb | PlatformDb, mail: Mail, now: Date): Promise<number> {
  const { id } = await db.tx.insertInto('outbox').values({ ...mail, created_at: now, sent_at: null }).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** A mail that has not been sent, locked so that no other process sends it at the same time. */
export const findUnsentMail = (db: PlatformDb, id: number) =>
  db.tx.selectFrom('outbox').selectAll().where('id', '=', id).where('sent_at', 'is', null).forUpdate().executeTakeFirst();

export async function markSent(db: PlatformDb, id: number, now: Date): Promise<void> {
  await db.tx.updateTable('outbox').set({ sent_at: now }).where('id', '=', id).execute();
}
