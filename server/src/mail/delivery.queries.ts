import { type DeliveryState, type MailDelivery, MAX_BOUNCES } from '#contract/mail-delivery.ts';
import { sql } from 'kysely';
import type { PlatformDb } from '../database/platform-db.ts';
import type { MailFault } from './mail-faults.ts';
import { ERASED_KINDS, NO_CONTENT } from './outbox.queries.ts';

/** Ends the lease of a mail that could not be sent yet, and records why. */
export async function releaseMail(db: PlatformDb, id: number, fault?: MailFault): Promise<void> {
  const reason = fault ? { fault: fault.words, fault_code: fault.code } : {};
  await db.tx
    .updateTable('outbox')
    .set({ sending_until: null, ...reason })
    .where('id', '=', id)
    .execute();
}

/** Records that a mail was delivered and deletes its content; kind, recipient and time remain, unless the recipient was erased. */
export async function markSent(db: PlatformDb, id: number, now: Date): Promise<void> {
  await db.tx.deleteFrom('outbox').where('id', '=', id).where('kind', 'in', ERASED_KINDS).execute();
  await db.tx
    .updateTable('outbox')
    .set({
      ...NO_CONTENT,
      sent_at: now,
      sending_until: null,
      // A link may be opened before the reply of the mail server arrives here.
      delivery: sql<DeliveryState>`case delivery when 'queued' then 'sent' else delivery end`,
      delivery_at: sql<Date>`case delivery when 'queued' then ${now}::timestamptz else delivery_at end`,
      fault: null,
      fault_code: null,
    })
    .where('id', '=', id)
    .execute();
}

/** Records that a mail will never be accepted, and deletes its content as that of a delivered one. */
export async function markRejected(db: PlatformDb, id: number, fault: MailFault, now: Date): Promise<void> {
  await db.tx.deleteFrom('outbox').where('id', '=', id).where('kind', 'in', ERASED_KINDS).execute();
  await db.tx
    .updateTable('outbox')
    .set({
      ...NO_CONTENT,
      sending_until: null,
      delivery: 'rejected',
      delivery_at: now,
      fault: fault.words,
      fault_code: fault.code,
      counts_against_address: fault.kind === 'address',
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Records that a mail came back after it was accepted; a second report of the same changes nothing.
 * @param messageKeys the keys in the report, of which one is that of a mail
 * @returns false when no mail has such a key, or it had come back before
 */
export async function markBounced(
  db: PlatformDb,
  messageKeys: readonly string[],
  fault: MailFault,
  now: Date,
): Promise<boolean> {
  const row = await db.tx
    .updateTable('outbox')
    .set({
      delivery: 'bounced',
      delivery_at: now,
      fault: fault.words,
      fault_code: fault.code,
      counts_against_address: fault.kind === 'address',
    })
    .where(sql<boolean>`message_key = any (${[...messageKeys]}::uuid[])`)
    .where('delivery', 'in', ['queued', 'sent'])
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Those of some addresses, in lower case, to which nothing is sent because mails to them bounced. */
export async function listBlockedAddresses(db: PlatformDb, addresses: readonly string[]): Promise<Set<string>> {
  const keys = addresses.map((address) => address.toLowerCase());
  const rows = await db.tx
    .selectFrom('outbox')
    .select(sql<string>`lower(recipient)`.as('key'))
    .where(sql<boolean>`lower(recipient) = any (${keys}::text[])`)
    .where('counts_against_address', '=', true)
    .groupBy(sql`lower(recipient)`)
    .having(({ fn }) => fn.countAll<number>(), '>=', MAX_BOUNCES)
    .execute();
  return new Set(rows.map(({ key }) => key));
}

const DELIVERY_COLUMNS = [
  'about',
  'recipient',
  'delivery',
  'delivery_at',
  'created_at',
  'sent_at',
  'text',
  'fault',
] as const;

interface DeliveryRow {
  delivery: string;
  delivery_at: Date | null;
  created_at: Date;
  sent_at: Date | null;
  text: string | null;
  fault: string | null;
}

/** The state of a mail as the API describes it. */
function toDelivery({ delivery, delivery_at, created_at, sent_at, text, fault }: DeliveryRow): MailDelivery {
  // The text of a mail that was tried for a day in vain has been deleted.
  const isGivenUp = delivery === 'queued' && sent_at === null && text === null;
  return {
    state: isGivenUp ? 'rejected' : (delivery as DeliveryState),
    at: (delivery_at ?? created_at).toISOString(),
    reason: fault ?? (isGivenUp ? 'The mail server did not accept it within a day.' : null),
  };
}

export interface FoundDelivery extends MailDelivery {
  recipient: string;
}

/** The latest mail of a school about each of some things, by the thing: `invite:ID`, `invoice:NUMBER`. */
export async function findDeliveriesAbout(
  db: PlatformDb,
  schoolId: number,
  abouts: readonly string[],
): Promise<Map<string, FoundDelivery>> {
  if (abouts.length === 0) return new Map();
  const rows = await db.tx
    .selectFrom('outbox')
    .distinctOn('about')
    .select(DELIVERY_COLUMNS)
    .where(sql<boolean>`about = any (${[...abouts]}::text[])`)
    .where('from_school_id', '=', schoolId)
    .orderBy('about')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.about ?? '', { ...toDelivery(row), recipient: row.recipient }]));
}

/**
 * The latest mail to each of some addresses, by the address in lower case.
 * @param schoolId the mails of one school; undefined for those of all
 */
export async function findDeliveriesTo(
  db: PlatformDb,
  addresses: readonly string[],
  schoolId?: number,
): Promise<Map<string, FoundDelivery>> {
  if (addresses.length === 0) return new Map();
  const keys = addresses.map((address) => address.toLowerCase());
  let mails = db.tx
    .selectFrom('outbox')
    .distinctOn(sql`lower(recipient)`)
    .select(DELIVERY_COLUMNS)
    .where(sql<boolean>`lower(recipient) = any (${keys}::text[])`)
    .where('held_for', 'is', null)
    .orderBy(sql`lower(recipient)`)
    .orderBy('id', 'desc');
  if (schoolId !== undefined) mails = mails.where('from_school_id', '=', schoolId);
  const rows = await mails.execute();
  return new Map(rows.map((row) => [row.recipient.toLowerCase(), { ...toDelivery(row), recipient: row.recipient }]));
}

/** An address to which mails could not be delivered. */
export interface BouncedAddressRow {
  email: string;
  bounces: number;
  last_at: Date;
  reason: string;
}

/** A page of the addresses that bounced, the latest first, with their number. */
export async function listBouncedAddresses(
  db: PlatformDb,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ addresses: BouncedAddressRow[]; total: number }> {
  const { rows: addresses } = await sql<BouncedAddressRow>`
    select lower(recipient) as email, count(*) as bounces, max(delivery_at) as last_at,
      (array_agg(coalesce(fault, '') order by delivery_at desc))[1] as reason
    from outbox where counts_against_address
    group by lower(recipient) order by max(delivery_at) desc, lower(recipient) limit ${limit} offset ${offset}`.execute(
    db.tx,
  );
  const { rows } = await sql<{ total: number }>`
    select count(distinct lower(recipient)) as total from outbox where counts_against_address`.execute(db.tx);
  return { addresses, total: rows[0]?.total ?? 0 };
}

/** Sends mails to an address again: what came back before no longer counts. Returns false when nothing had. */
export async function excuseAddress(db: PlatformDb, address: string): Promise<boolean> {
  const { numUpdatedRows } = await db.tx
    .updateTable('outbox')
    .set({ counts_against_address: false })
    .where(sql<boolean>`lower(recipient) = lower(${address})`)
    .where('counts_against_address', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
