import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const keyOf = (secret: string, purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));

/** Encrypts with a key derived from the secret (AES-256-GCM): the database alone does not reveal the text. */
export function seal(content: Buffer, secret: string, purpose: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts what was sealed with the same secret for the same purpose. Throws otherwise. */
export function unseal(sealed: Buffer, secret: string, purpose: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
}

/** Derives a secret for one purpose from another secret, which it does not reveal. */
export const deriveSecret = (secret: string, purpose: string): string => keyOf(secret, purpose).toString('base64url');

/** The stored ID of a row whose own ID is a secret: a one-way hash of the same shape. */
export function hashUuid(id: string): string {
  const hex = createHash('sha256').update(id.toLowerCase()).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
