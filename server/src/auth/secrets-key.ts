import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { deriveSecret, seal, unseal } from './sealing.ts';
import { newToken } from './tokens.ts';

const FILE = 'secrets.key';

/** What a function needs to find the keys. */
export type KeyConfig = Pick<Config, 'secretsKeys' | 'dataDir'>;

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

/** `SECRETS_KEY` for a portal that had none, whose key is in its data folder. */
export const formatSecretsKey = (config: KeyConfig): string => keysOf(config).join(',');

/**
 * The keys that protect secrets in the database: those of `SECRETS_KEY`, or the one in the data folder. The first
 * encrypts, all decrypt.
 */
function keysOf({ secretsKeys, dataDir }: KeyConfig): readonly string[] {
  if (secretsKeys.length > 0) return secretsKeys;
  const keys = known.get(dataDir) ?? [readKeyFile(dataDir)];
  known.set(dataDir, keys);
  return keys;
}

/** What identifies each key without revealing it: 16 hexadecimal characters. The first key encrypts. */
export const fingerprintsOf = (config: KeyConfig): string[] =>
  keysOf(config).map((key) => Buffer.from(deriveSecret(key, 'fingerprint'), 'base64url').toString('hex', 0, 8));

/** Encrypts for one purpose with the first key. */
export const sealSecret = (config: KeyConfig, purpose: string, content: Buffer): Buffer =>
  seal(content, keysOf(config)[0] ?? '', purpose);

/** Decrypts with whichever key sealed it. Returns the content and the position of the key; undefined when none did. */
function tryKeys(
  config: KeyConfig,
  purpose: string,
  sealed: Buffer,
): { content: Buffer; position: number } | undefined {
  for (const [position, key] of keysOf(config).entries())
    try {
      return { content: unseal(sealed, key, purpose), position };
    } catch {
      // Sealed with another key.
    }
  return undefined;
}

/** Decrypts with whichever key sealed it. Throws an Error that names the setting when none did. */
export function unsealSecret(config: KeyConfig, purpose: string, sealed: Buffer): Buffer {
  const found = tryKeys(config, purpose, sealed);
  if (!found) throw new Error('A secret in the database was encrypted with a key that SECRETS_KEY does not contain.');
  return found.content;
}

/** Encrypts again with the first key. Returns null when the first key sealed it, and undefined when none of the keys did. */
export function resealSecret(config: KeyConfig, purpose: string, sealed: Buffer): Buffer | null | undefined {
  const found = tryKeys(config, purpose, sealed);
  if (!found) return undefined;
  return found.position === 0 ? null : sealSecret(config, purpose, found.content);
}

/** The keys for the digests of one purpose, for a worker that must not have those of others. */
export const digestKeys = (config: KeyConfig, purpose: string): string[] =>
  keysOf(config).map((key) => deriveSecret(key, purpose));

export const digestWith = (key: string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The keyed digests of a text for one purpose, one for each key; store the first. */
export const digestSecret = (config: KeyConfig, purpose: string, text: string): [Buffer, ...Buffer[]] =>
  digestKeys(config, purpose).map((key) => digestWith(key, text)) as [Buffer, ...Buffer[]];
