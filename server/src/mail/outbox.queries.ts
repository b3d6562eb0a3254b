import type { PlatformDb } from '../database/platform.ts';
import type { SchoolDb } from '../database/school.ts';

export interface Mail {
  recipient: string;
  subject: string;
  html: string;
  text: string;
  /** Further headers, by name. */
  headers?: Record<string, string>;
}

/** Writes a mail into the outbox and returns its id. */
export async function insertMail(db: SchoolDb | PlatformDb, mail: Mail, now: Date): Promise<number> {
  const headers = mail.headers ? JSON.stringify(mail.headers) : null;
  const { id } = await db.tx
    .insertInto('outbox')
    .values({ ...mail, headers, created_at: now, sending_until: null, sent_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** What became of a mail: `free` to be sent by who asks, `taken` by another process, or `done`. */
export type Claim = { state: 'free'; mail: Mail } | { state: 'taken'; mail?: never } | { state: 'done'; mail?: never };

/** Takes an unsent mail for a while, so that no other process sends it at the same time. */
export async function claimMail(db: PlatformDb, id: number, now: Date, until: Date): Promise<Claim> {
  const mail = await db.tx
    .updateTable('outbox')
    .set({ sending_until: until })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where((where) => where.or([where('sending_until', 'is', null), where('sending_until', '<=', now)]))
    .returning(['recipient', 'subject', 'html', 'text', 'headers'])
    .executeTakeFirst();
  if (mail) {
    const { headers, ...rest } = mail;
    return { state: 'free', mail: headers ? { ...rest, headers } : rest };
  }
  const unsent = await db.tx
    .selectFrom('outbox')
    .select('id')
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .executeTakeFirst();
  return { state: unsent ? 'taken' : 'done' };
}

/** Gives a mail back that could not be sent. */
export async function releaseMail(db: PlatformDb, id: number): Promise<void> {
  await db.tx.updateTable('outbox').set({ sending_until: null }).where('id', '=', id).execute();
}

export async function markSent(db: PlatformDb, id: number, now: Date): Promise<void> {
  await db.tx.updateTable('outbox').set({ sent_at: now, sending_until: null }).where('id', '=', id).execute();
}
