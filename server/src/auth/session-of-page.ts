import { AsyncLocalStorage } from 'node:async_hooks';
import type { Session } from './sessions.queries.ts';

/** The sessions that one page has asked for, by the hash of their token. */
type Found = Map<string, Promise<Session | undefined>>;

const pages = new AsyncLocalStorage<Found>();

/** Draws one page, whose calls look its visitor's session up once. What was found is forgotten with the page. */
export async function withSessionOfPage<T>(draw: () => Promise<T>): Promise<T> {
  const found: Found = new Map();
  try {
    return await pages.run(found, draw);
  } finally {
    found.clear();
  }
}

/** The session of a token: what the page that makes this call has found already, or what `find` answers. */
export function oncePerPage(tokenHash: Buffer, find: () => Promise<Session | undefined>): Promise<Session | undefined> {
  const found = pages.getStore();
  if (!found) return find();
  const key = tokenHash.toString('base64');
  const known = found.get(key) ?? find();
  found.set(key, known);
  return known;
}
