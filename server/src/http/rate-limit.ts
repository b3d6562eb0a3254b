import { createHash } from 'node:crypto';
import type { Call, RateLimit } from '#contract/call.ts';
import type { Database } from '../database/database.ts';
import { askPlatform } from '../database/platform.ts';
import { AppError } from './errors.ts';
import { countTry, forgetTries } from './rate-limit.queries.ts';

/** Keys are hashed: the table holds no address and no name. */
function keyOf(call: Call, limit: RateLimit, address: string, body: unknown): string | undefined {
  let who: string | undefined = address;
  if (limit.by === 'account') {
    const named = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[limit.field ?? ''] : undefined;
    who = typeof named === 'string' ? named.normalize('NFKC').trim().toLowerCase() : undefined;
  }
  return who && createHash('sha256').update(`${call.method} ${call.path} ${limit.by} ${who}`).digest('base64url');
}

/** Counts this request against the call's limits. Throws `too_many_requests` when one is used up. */
export async function limitRate(database: Database, call: Call, address: string, body: unknown, now: Date): Promise<void> {
  for (const limit of call.rateLimits ?? []) {
    const key = keyOf(call, limit, address, body);
    if (!key) continue;
    const { tries, endsIn } = await askPlatform(database, (db) => countTry(db, key, limit.seconds, now));
    if (tries > limit.tries) throw new AppError('too_many_requests', { retryAfter: endsIn });
  }
}

/** After a success: the account's tries count no longer. */
export async function forgiveAccount(database: Database, call: Call, body: unknown): Promise<void> {
  for (const limit of call.rateLimits ?? []) {
    const key = limit.by === 'account' ? keyOf(call, limit, '', body) : undefined;
    if (key) await askPlatform(database, (db) => forgetTries(db, key));
  }
}
