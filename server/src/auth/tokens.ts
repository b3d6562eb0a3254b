import { createHash, randomBytes } from 'node:crypto';

/** An unguessable token of 256 bits, safe in a URL and a header. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What of a token is stored. The token has full entropy, so that a plain hash is enough. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
