import { gunzipSync, gzipSync } from 'node:zlib';
import type { Kysely } from 'kysely';
import { seal, unseal } from '../auth/sealing.ts';
import { hashToken } from '../auth/tokens.ts';
import { DAY_MS } from '../clock.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import type { Tables } from '../database/tables.ts';
import { AppError } from '../errors.ts';

const KEY_TTL_MS = DAY_MS;
const PURPOSE = 'idempotency reply';

/** The caller, request and time of a key's use. */
export interface KeyUse {
  actor: string;
  key: string;
  schoolId: number | null;
  requestHash: Buffer;
  now: Date;
}

/**
 * Claims a key in the transaction that does the work; a second request with the same key waits here for the first.
 * @returns undefined when the key is new, otherwise the reply to its first use
 */
export async function claimIdempotencyKey(tx: Kysely<Tables>, use: KeyUse): Promise<{ reply: unknown } | undefined> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('actor', '=', use.actor)
    .where('key_hash', '=', hashToken(use.key))
    .where('created_at', '<=', new Date(use.now.getTime() - KEY_TTL_MS))
    .execute();
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values({
      actor: use.actor,
      key_hash: hashToken(use.key),
      school_id: use.schoolId,
      request_hash: use.requestHash,
      sealed_reply: null,
      created_at: use.now,
    })
    .onConflict((conflict) => conflict.columns(['actor', 'key_hash']).doNothing())
    .returning('actor')
    .executeTakeFirst();
  if (claimed) return undefined;
  const first = await tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'sealed_reply'])
    .where('actor', '=', use.actor)
    .where('key_hash', '=', hashToken(use.key))
    .executeTakeFirst();
  // The same person used the key before they had this school, where the school's scope cannot see it.
  if (!first) throw new AppError('idempotency_key_reused');
  return replyOf(first, use);
}

function replyOf(
  first: { request_hash: Uint8Array; sealed_reply: Uint8Array | null },
  use: KeyUse,
): { reply: unknown } {
  if (!use.requestHash.equals(first.request_hash)) throw new AppError('idempotency_key_reused');
  if (!first.sealed_reply) return { reply: null };
  return { reply: JSON.parse(gunzipSync(unseal(Buffer.from(first.sealed_reply), use.key, PURPOSE)).toString()) };
}

/**
 * The reply to a key's first use, while it is retained. Throws `idempotency_key_reused` when the request was different.
 */
export async function findFirstReply(db: PlatformDb, use: KeyUse): Promise<{ reply: unknown } | undefined> {
  const first = await db.tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'sealed_reply'])
    .where('actor', '=', use.actor)
    .where('key_hash', '=', hashToken(use.key))
    .where('created_at', '>', new Date(use.now.getTime() - KEY_TTL_MS))
    .executeTakeFirst();
  return first && replyOf(first, use);
}

/** Stores the reply sealed with the key, because replies contain links and codes. */
export async function storeReply(tx: Kysely<Tables>, use: KeyUse, reply: unknown): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ sealed_reply: seal(gzipSync(JSON.stringify(reply)), use.key, PURPOSE) })
    .where('actor', '=', use.actor)
    .where('key_hash', '=', hashToken(use.key))
    .execute();
}
