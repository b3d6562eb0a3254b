import { createHash } from 'node:crypto';
import type { Call, RateLimit } from '#contract/call.ts';
import { PROGRAM_RATE } from '#contract/programs.ts';
import type { Client } from '../auth/client.ts';
import { networkOf } from '../auth/network.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { inPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { AppError } from '../errors.ts';
import { recordAttempts, removeAttempts, returnAttempt } from './rate-limit.queries.ts';
import { normalizeName, recogniseCaller, type RecognisedCaller, textIn } from './recognise-caller.ts';

/** The caller of a request, as far as rate limits count it. */
export interface RateLimitSubject {
  client: Client;
  userId?: number | undefined;
  /** Unique in the product: `school:pupil`. */
  pupilKey?: string | undefined;
  body: unknown;
}

/** What rate limits know of a call. */
type LimitedCall = Pick<Call, 'method' | 'path' | 'rateLimits'>;

/** An attempt that was counted, and what a success does with the count. */
export interface CountedAttempt {
  key: string;
  afterSuccess: 'keep' | 'return' | 'forget';
}

/** Keys are hashed, so the table contains no addresses or names. */
const hashKey = (...parts: (string | number)[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('base64url');

function countedValue(
  { by, field = '' }: RateLimit,
  { client, userId, pupilKey, body }: RateLimitSubject,
  caller: RecognisedCaller,
): string | number | undefined {
  if (by === 'address') return networkOf(client.address);
  if (by === 'user') return userId ?? caller.userId;
  if (by === 'pupil') return pupilKey;
  const named = textIn(body, field);
  return named === undefined ? undefined : normalizeName(named);
}

function afterSuccess(limit: RateLimit, isStranger: boolean): CountedAttempt['afterSuccess'] {
  if (limit.countsSuccesses) return 'keep';
  if (limit.by === 'address') return limit.countsFailuresOnly ? 'return' : 'keep';
  // Otherwise a stranger who can log in to an account with the same address could guess without end.
  return isStranger ? 'return' : 'forget';
}

/**
 * Counts this request against the call's limits, and returns what was counted. Throws `too_many_requests` when one is used
 * up.
 */
export async function limitRate(
  { database, config }: { database: Database; config: Config },
  call: LimitedCall,
  subject: RateLimitSubject,
  now: Date,
): Promise<CountedAttempt[]> {
  const limits = call.rateLimits ?? [];
  if (limits.length === 0) return [];
  const [attempts, waits] = await inPlatform(database, async (db) => {
    const countsApart = limits.some(({ countsKnownApart }) => countsKnownApart);
    const caller = countsApart ? await recogniseCaller(db, config, subject, now) : {};
    const counted = limits.flatMap((limit) => {
      const who = countedValue(limit, subject, caller);
      if (who === undefined) return [];
      const { lane } = limit.countsKnownApart ? caller : {};
      const name = `${call.method} ${call.path} ${limit.by}`;
      const isStranger = limit.countsKnownApart === true && lane === undefined;
      return {
        key: lane === undefined ? hashKey(name, who) : hashKey(name, 'known', lane),
        limit,
        tries: limit.tries,
        seconds: limit.seconds,
        slowsDown: limit.slowsDown === true,
        afterSuccess: afterSuccess(limit, isStranger),
      };
    });
    return [counted, counted.length > 0 ? await recordAttempts(db, counted, now) : []] as const;
  });
  const wait = Math.max(0, ...waits);
  const limit = attempts[waits.indexOf(wait)]?.limit;
  if (wait > 0 && limit) throw new AppError('too_many_requests', { retryAfter: wait, text: explainLimit(limit, wait) });
  return attempts;
}

/** Counts a call of a program. Throws `too_many_requests` when it has made too many. */
export async function limitProgram(database: Database, schoolId: number, programId: number, now: Date): Promise<void> {
  const attempt = { key: hashKey('program', schoolId, programId), ...PROGRAM_RATE, slowsDown: false };
  const [wait = 0] = await inPlatform(database, (db) => recordAttempts(db, [attempt], now));
  if (wait === 0) return;
  const text = `A program can make ${PROGRAM_RATE.tries} calls in ${formatWait(PROGRAM_RATE.seconds)}. Wait ${formatWait(wait)}, then go on.`;
  throw new AppError('too_many_requests', { retryAfter: wait, text });
}

function explainLimit({ by, tries, seconds, countsSuccesses }: RateLimit, wait: number): string {
  // Only a user's own successes were done by the person who reads this.
  if (by === 'user' && countsSuccesses)
    return `You have done this ${tries} times in ${formatWait(seconds)}, which is the limit. Try again in ${formatWait(wait)}.`;
  return `Too many attempts. Wait ${formatWait(wait)}, then try again.`;
}

const countOf = (number: number, noun: string) => (number === 1 ? `1 ${noun}` : `${number} ${noun}s`);

/** A wait such as `35 minutes`, rounded up so that it is never too short. */
export function formatWait(seconds: number): string {
  if (seconds < 60) return countOf(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return countOf(minutes, 'minute');
  return countOf(Math.ceil(minutes / 60), 'hour');
}

/** After a success: resets the caller's own attempts, and takes this one out of the others. */
export async function resetAttempts(db: PlatformDb, attempts: readonly CountedAttempt[]): Promise<void> {
  // In the order in which they are counted, so that simultaneous requests do not deadlock.
  const ordered = attempts
    .filter((attempt) => attempt.afterSuccess !== 'keep')
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  await Promise.all(
    ordered.map(({ key, afterSuccess: what }) =>
      what === 'return' ? returnAttempt(db, key) : removeAttempts(db, key),
    ),
  );
}
