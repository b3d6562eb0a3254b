import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { fieldError } from '../../http/errors.ts';

/** Argon2id as OWASP advises for it: 19 MiB, two passes, one lane. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing fills a core: no more at once than there are, so that other requests find one. */
const AT_ONCE = availableParallelism();
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** The Argon2id hash of a password, for storing. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(password.normalize('NFC'), STRENGTH));

let nobody: Promise<string> | undefined;

/**
 * True when the password belongs to the hash. Without a hash (an unknown account) it takes
 * the same time and is false, so that the time of an answer does not tell which accounts exist.
 */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  nobody ??= hash('nobody has this password', STRENGTH);
  const against = passwordHash ?? (await nobody);
  const matches = await inTurn(() => verify(against, password.normalize('NFC')));
  return matches && passwordHash !== undefined;
}

let common: ReadonlySet<string> | undefined;

/** The most common passwords, one a line, in lower case. */
function readCommon(): ReadonlySet<string> {
  const file = new URL('../../../../content/common-passwords.txt', import.meta.url);
  return new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean));
}

/**
 * Throws a field error for a password that a guesser tries first: one of the most common, or the person's own address.
 * @param path the field of the body that it stands at
 */
export function checkNewPassword(password: string, email: string, path = 'password'): void {
  common ??= readCommon();
  const plain = password.normalize('NFKC').trim().toLowerCase();
  const address = email.toLowerCase();
  if (common.has(plain)) throw fieldError(path, 'This is one of the most common passwords. Choose another.');
  if (plain === address || plain === address.split('@')[0])
    throw fieldError(path, 'Your email address is no password. Choose another.');
}
