import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { fieldError } from '../http/errors.ts';
import { Semaphore } from '../semaphore.ts';

/** `full` for real passwords; `least` makes a hash that takes no time and protects nothing, for tests. */
export type HashCost = 'full' | 'least';

/** Argon2id; at full cost as OWASP advises for it: 19 MiB, two passes, one lane. */
const PARAMETERS: Record<HashCost, { memoryCost: number; timeCost: number; parallelism: number }> = {
  full: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  least: { memoryCost: 8, timeCost: 1, parallelism: 1 },
};

/** Hashing fills a core: no more at once than there are, so that other requests find one. */
const turns = new Semaphore(availableParallelism());
/** Of the operating system's -20 (first) to 19 (last), where 0 is common. */
const HASHING_PRIORITY = 10;

const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
  turns.run(() => {
    const done = work();
    lowerThreadPriority();
    return done;
  });

let hasGivenWay = false;

/**
 * A storm of logins must not slow other requests: the threads that hash get a lower priority than the one that
 * serves, and than the database on the same machine. Linux knows priorities of threads; elsewhere nothing happens.
 */
function lowerThreadPriority(): void {
  if (hasGivenWay) return;
  hasGivenWay = true;
  try {
    for (const thread of readdirSync('/proc/self/task'))
      if (readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').startsWith('libuv-worker'))
        setPriority(Number(thread), HASHING_PRIORITY);
  } catch {
    // No such folder, or no such right.
  }
}

/** The Argon2id hash of a password, for storing. */
export const hashPassword = (password: string, cost: HashCost): Promise<string> =>
  inTurn(() => hash(password.normalize('NFC'), PARAMETERS[cost]));

const dummyHashes: { [Cost in HashCost]?: Promise<string> } = {};

/**
 * True when the password belongs to the hash. Without a hash (an unknown account) it takes
 * the same time and is false, so that the time of an answer does not tell which accounts exist.
 */
export async function isPassword(password: string, passwordHash: string | undefined, cost: HashCost): Promise<boolean> {
  const dummyHash = (dummyHashes[cost] ??= hash('nobody has this password', PARAMETERS[cost]));
  const against = passwordHash ?? (await dummyHash);
  const matches = await inTurn(() => verify(against, password.normalize('NFC')));
  return matches && passwordHash !== undefined;
}

let common: ReadonlySet<string> | undefined;

/** The most common passwords, one a line, in lower case. */
function readCommon(): ReadonlySet<string> {
  const file = new URL('../../../content/common-passwords.txt', import.meta.url);
  return new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean));
}

/**
 * Throws a field error for a password that a guesser tries first: one of the most common, or the person's own address.
 * @param path the field of the body that it stands at
 */
export function assertNewPassword(password: string, email: string, path = 'password'): void {
  common ??= readCommon();
  const plain = password.normalize('NFKC').trim().toLowerCase();
  const address = email.toLowerCase();
  if (common.has(plain)) throw fieldError(path, 'This is one of the most common passwords. Choose another.');
  if (plain === address || plain === address.split('@')[0])
    throw fieldError(path, 'Your email address is no password. Choose another.');
}
