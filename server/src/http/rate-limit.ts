import { createHash } from 'node:crypto';
import type { Call, RateLimit } from '#contract/call.ts';
import ipaddr from 'ipaddr.js';
import { DAY_MS } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { inPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { AppError } from './errors.ts';
import { recordAttempts, removeAttempts, returnAttempt } from './rate-limit.queries.ts';

/** The caller of a request, as far as rate limits count it. */
export interface RateLimitSubject {
  address: string;
  userId?: number | undefined;
  /** Unique in the product: `school:pupil`. */
  pupilKey?: string | undefined;
  body: unknown;
}

/** What rate limits know of a call. */
type LimitedCall = Pick<Call, 'method' | 'path' | 'rateLimits'>;

/** How long an address from which a user logged in stays trusted: as long as a session may last. */
const KNOWN_ADDRESS_MS = 90 * DAY_MS;

/** Keys are hashed, so the table contains no addresses or names. */
const hashKey = (...parts: (string | number)[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('base64url');

/** The part of an address that is counted: the network of an IPv6 address, because one customer has 2^64 of them. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const known = ipaddr.process(address);
  return known instanceof ipaddr.IPv6 ? known.parts.slice(0, 4).join(':') : known.toString();
}

function countedValue(
  limit: RateLimit,
  { address, userId, pupilKey, body }: RateLimitSubject,
): string | number | undefined {
  if (limit.by === 'address') return networkOf(address);
  if (limit.by === 'user') return userId;
  if (limit.by === 'pupil') return pupilKey;
  const named =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[limit.field ?? ''] : undefined;
  return typeof named === 'string' ? named.normalize('NFKC').trim().toLowerCase() : undefined;
}

/** The keys of an attempt: `shared` by all who try this account, `own` for those from this address. */
function keysOf(call: LimitedCall, limit: RateLimit, subject: RateLimitSubject) {
  const who = countedValue(limit, subject);
  if (who === undefined) return undefined;
  const name = `${call.method} ${call.path} ${limit.by}`;
  return {
    shared: hashKey(name, who),
    own: hashKey(name, 'from', networkOf(subject.address), who),
    known: hashKey(name, 'known', networkOf(subject.address), who),
  };
}

/** Counts this request against the call's limits. Throws `too_many_requests` when one is used up. */
export async function limitRate(
  database: Database,
  call: LimitedCall,
  subject: RateLimitSubject,
  now: Date,
): Promise<void> {
  const limits = (call.rateLimits ?? []).flatMap((limit) => {
    const keys = keysOf(call, limit, subject);
    return keys ? [{ ...limit, ...keys, known: limit.trustsKnownAddresses ? keys.known : null }] : [];
  });
  if (limits.length === 0) return;
  const found = await inPlatform(database, (db) => recordAttempts(db, limits, KNOWN_ADDRESS_MS, now));
  const waits = found.filter(({ tries }, index) => tries > (limits[index]?.tries ?? 0)).map(({ endsIn }) => endsIn);
  if (waits.length > 0) throw new AppError('too_many_requests', { retryAfter: Math.max(...waits) });
}

/** After a success: resets the attempts of the account or user, and trusts the address. */
export async function resetAttempts(
  db: PlatformDb,
  call: LimitedCall,
  subject: RateLimitSubject,
  now: Date,
): Promise<void> {
  for (const limit of call.rateLimits ?? []) {
    const keys = keysOf(call, limit, subject);
    if (!keys || limit.countsSuccesses) continue;
    if (limit.by === 'address') {
      if (limit.countsFailuresOnly) await returnAttempt(db, keys.shared);
      continue;
    }
    const ends = new Date(now.getTime() + KNOWN_ADDRESS_MS);
    await removeAttempts(
      db,
      [keys.shared, keys.own],
      limit.trustsKnownAddresses ? { key: keys.known, ends } : undefined,
    );
  }
}
