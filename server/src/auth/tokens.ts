import { createHash, randomBytes } from 'node:crypto';

/** An unguessable token of 256 bits, safe in URLs and headers. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The part of a token that is stored. The token has full entropy, so a plain hash is enough. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The public ID of a session, by which its user can end it: a hash of its stored hash, which gives no access. */
export const sessionIdOf = (tokenHash: Buffer): string => createHash('sha256').update(tokenHash).digest('hex');
