import { resolve } from 'node:path';
import { findLocalUrl } from '#server/local-url.ts';

/**
 * The URL of the portal on this machine: on `PORT`, or the one that serves from the data folder, or on the default port.
 */
export function findPortalUrl({ PORT, DATA_DIR }: Record<string, string | undefined>): string {
  if (PORT) return `http://localhost:${PORT}`;
  return findLocalUrl(resolve(DATA_DIR || './data')) ?? 'http://localhost:8080';
}
