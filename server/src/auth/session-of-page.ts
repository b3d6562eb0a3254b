import { AsyncLocalStorage } from 'node:async_hooks';
import type { Session } from './sessions.queries.ts';

/** The sessions that one page has looked up, by the hash of their token. */
type Found = Map<string, Promise<Session | undefined>>;

const pages = new AsyncLocalStorage<Found>();

/** Renders one page, whose calls look up the visitor's session once. The result is discarded with the page. */
export async function withSessionOfPage<T>(draw: () => Promise<T>): Promise<T> {
  const found: Found = new Map();
  try {
    return await pages.run(found, draw);
  } finally {
    found.clear();
  }
}

/** The session of a token: cached for the page that makes this call, or from `findSession`. */
export function oncePerPage(
  tokenHash: Buffer,
  findSession: () => Promise<Session | undefined>,
): Promise<Session | undefined> {
  const found = pages.getStore();
  if (!found) return findSession();
  const key = tokenHash.toString('base64');
  const known = found.get(key) ?? findSession();
  found.set(key, known);
  return known;
}
