import { sql } from 'kysely';
import type { PlatformDb } from '../database/platform-db.ts';

/** The last numbers that a database gave. */
export interface LastNumbers {
  /** Rises at each start and every five minutes. */
  generation: number;
  invoice: number;
  credit_note: number;
}

export async function readNumbers(db: PlatformDb): Promise<LastNumbers> {
  const { rows } = await sql<LastNumbers>`
    select generation, (select last from document_numbers where kind = 'invoice') as invoice,
      (select last from document_numbers where kind = 'credit_note') as credit_note
    from database_generation`.execute(db.tx);
  return rows[0] as LastNumbers;
}

export async function raiseGeneration(db: PlatformDb, now: Date): Promise<void> {
  await db.tx
    .updateTable('database_generation')
    .set(({ eb }) => ({ generation: eb('generation', '+', 1), changed_at: now }))
    .execute();
}

/** Raises the generation to at least this one, so that the portal may serve the database. */
export async function raiseGenerationTo(db: PlatformDb, generation: number): Promise<void> {
  await db.tx.updateTable('database_generation').set({ generation }).where('generation', '<', generation).execute();
}

/** When the generation last rose before the moment of the restored data; null in a database of an earlier version. */
export async function findLastChange(db: PlatformDb): Promise<Date | null> {
  const row = await db.tx.selectFrom('database_generation').select('changed_at').executeTakeFirstOrThrow();
  return row.changed_at;
}

/** Numbers of documents that were issued after the moment of the restored data. */
export interface MissingNumbers {
  kind: 'invoice' | 'credit_note';
  first: number;
  last: number;
}

/** Continues the numbers of documents behind the last ones issued, and records those that are missing from now on. */
export async function continueNumbers(db: PlatformDb, issued: LastNumbers): Promise<void> {
  for (const kind of ['invoice', 'credit_note'] as const) {
    const last = issued[kind];
    await sql`
      with missing as (select kind, last + 1 as first from document_numbers where kind = ${kind} and last < ${last}),
        continued as (update document_numbers n set last = ${last} from missing m where n.kind = m.kind)
      insert into missing_document_numbers (kind, first, last) select kind, first, ${last} from missing`.execute(db.tx);
  }
}

/** The numbers that restores have left without a document, in order. */
export async function listMissingNumbers(db: PlatformDb): Promise<MissingNumbers[]> {
  return db.tx
    .selectFrom('missing_document_numbers')
    .select(['kind', 'first', 'last'])
    .orderBy('kind', 'desc')
    .orderBy('first')
    .execute();
}

/** Invoices that are open, of all schools: how many, and the oldest of them. */
export async function listOpenInvoices(db: PlatformDb, limit: number): Promise<{ count: number; numbers: string[] }> {
  const open = db.tx.selectFrom('invoices').where('status', '=', 'open');
  const { count } = await open.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const rows = await open.select('number').orderBy('number').limit(limit).execute();
  return { count, numbers: rows.map(({ number }) => number) };
}

const UNSENT = sql<boolean>`sent_at is null and held_for is null and text is not null`;

/**
 * Holds the mails that are unsent now, until `sendRestoredMails` or `discardRestoredMails`. Returns how many there are of
 * each kind.
 */
export async function holdUnsentMails(db: PlatformDb): Promise<{ kind: string; count: number }[]> {
  await sql`
    update database_generation set held_mails_to = last
    from (select max(id) as last from outbox where ${UNSENT}) unsent where last is not null`.execute(db.tx);
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*) as count from outbox
    where ${UNSENT} and id <= (select held_mails_to from database_generation) group by kind order by kind`.execute(
    db.tx,
  );
  return rows;
}
