import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isMadeOfNames, removeNames } from '#contract/password-names.ts';
import { hash, verify } from '@node-rs/argon2';
import { BoundedQueue } from '../bounded-queue.ts';
import type { Config } from '../config.ts';
import { AppError, fieldError } from '../errors.ts';
import { currentOwner } from '../logging/request-scope.ts';

/** `full` for real passwords; `least` creates a hash that takes no time and protects nothing, for tests. */
export type HashCost = 'full' | 'least';

/** Argon2id. The full cost is the one that OWASP recommends: 19 MiB, two passes, one lane. */
const PARAMETERS: Record<HashCost, { memoryCost: number; timeCost: number; parallelism: number }> = {
  full: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  least: { memoryCost: 8, timeCost: 1, parallelism: 1 },
};

/** A hash takes about 15 ms of a processor, so the last one waits for two seconds at most. */
const MAX_WAITING_HASHES = 200;
const RETRY_AFTER_SECONDS = 2;

/** A hash keeps a whole core busy, so more of them at once than cores would only delay each other. */
const hashes = new BoundedQueue({
  concurrency: availableParallelism(),
  maxWaiting: MAX_WAITING_HASHES,
  overloaded: () => new AppError('unavailable', { retryAfter: RETRY_AFTER_SECONDS }),
});

/** Passwords that wait to be hashed or verified in this process. */
export const countWaitingHashes = (): number => hashes.waitingCount;

/** The Argon2id hash of a password, to be stored. */
export const hashPassword = (password: string, cost: HashCost): Promise<string> =>
  hashes.run(currentOwner(), () => hash(password.normalize('NFC'), PARAMETERS[cost]));

const dummyHashes: { [Cost in HashCost]?: Promise<string> } = {};

/** Stored for an account that signs in through a provider only. No password belongs to it, in any release. */
export const NO_PASSWORD = '';

/**
 * Returns whether the password belongs to the hash. Without a hash (an unknown account, or one without a password) it
 * takes the same time and returns false, so that the response time does not reveal which accounts exist.
 */
export async function isPassword(password: string, passwordHash: string | undefined, cost: HashCost): Promise<boolean> {
  const dummyHash = (dummyHashes[cost] ??= hash('no account has this password', PARAMETERS[cost]));
  const against = passwordHash || (await dummyHash);
  const matches = await hashes.run(currentOwner(), () => verify(against, password.normalize('NFC')));
  return matches && Boolean(passwordHash);
}

let common: ReadonlySet<string> | undefined;

/** The most common passwords, one per line, in lower case. */
function readCommon(): ReadonlySet<string> {
  const file = new URL('../../../content/common-passwords.txt', import.meta.url);
  return new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean));
}

/** Whose password it is, as far as it is known. */
interface PasswordOwner {
  email: string;
  /** The user's own names and their school's. */
  names: readonly string[];
}

/**
 * Throws a field error for a password that an attacker tries first: one of the most common, the user's own address, or one
 * made of the user's names, the school's or the product's. A name with a common password around it is no better.
 * @param path the field of the body that contains the password
 */
export function assertNewPassword(
  password: string,
  { email, names }: PasswordOwner,
  { productName }: Pick<Config, 'productName'>,
  path = 'password',
): void {
  common ??= readCommon();
  const plain = password.normalize('NFKC').trim().toLowerCase();
  const address = email.toLowerCase();
  if (common.has(plain)) throw fieldError(path, 'This is one of the most common passwords. Choose another.');
  if (plain === address || plain === address.split('@')[0])
    throw fieldError(path, 'Do not use your email address as your password. Choose another.');
  const known = [...names, productName];
  if (isMadeOfNames(password, known) || common.has(removeNames(password, known) ?? ''))
    throw fieldError(path, `Choose a password without your name, your school’s name or ${productName}.`);
}
