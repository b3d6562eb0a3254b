import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { deriveSecret, seal, unseal } from './sealing.ts';
import { newToken } from './tokens.ts';

const FILE = 'secrets.key';

const known = new Map<string, readonly string[]>();

/** The key in the data folder, created at its first use. Two processes that create it agree on one. */
function readKeyFile(dataDir: string): string {
  const path = join(dataDir, FILE);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(path, newToken(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}

/**
 * The keys that protect secrets in the database: those of `SECRETS_KEY`, or the one in the data folder. The first
 * encrypts, all decrypt.
 */
function keysOf({ secretsKeys, dataDir }: Pick<Config, 'secretsKeys' | 'dataDir'>): readonly string[] {
  if (secretsKeys.length > 0) return secretsKeys;
  const keys = known.get(dataDir) ?? [readKeyFile(dataDir)];
  known.set(dataDir, keys);
  return keys;
}

type KeyConfig = Pick<Config, 'secretsKeys' | 'dataDir'>;

/** Encrypts for one purpose with the first key. */
export const sealSecret = (config: KeyConfig, purpose: string, content: Buffer): Buffer =>
  seal(content, keysOf(config)[0] ?? '', purpose);

/** Decrypts with whichever key sealed it. Throws an Error that names the setting when none did. */
export function unsealSecret(config: KeyConfig, purpose: string, sealed: Buffer): Buffer {
  for (const key of keysOf(config))
    try {
      return unseal(sealed, key, purpose);
    } catch {
      // Sealed with another key.
    }
  throw new Error('A secret in the database was encrypted with a key that SECRETS_KEY does not contain.');
}

/** The keyed digests of a text for one purpose, one for each key; store the first. */
export const digestSecret = (config: KeyConfig, purpose: string, text: string): [Buffer, ...Buffer[]] =>
  keysOf(config).map((key) => createHmac('sha256', deriveSecret(key, purpose)).update(text).digest()) as [
    Buffer,
    ...Buffer[],
  ];
