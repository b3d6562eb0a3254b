import { AsyncLocalStorage } from 'node:async_hooks';
import type { Session } from './sessions.queries.ts';

/** The sessions that one page has looked up, by the hash of their token. */
type PageSessions = Map<string, Promise<Session | undefined>>;

const pages = new AsyncLocalStorage<PageSessions>();

/** Renders one page, whose calls look up the visitor's session once. The result is discarded with the page. */
export async function withSessionOfPage<T>(render: () => Promise<T>): Promise<T> {
  const sessions: PageSessions = new Map();
  try {
    return await pages.run(sessions, render);
  } finally {
    sessions.clear();
  }
}

/** The session of a token: cached for the page that makes this call, or from `findSession`. */
export function oncePerPage(
  tokenHash: Buffer,
  findSession: () => Promise<Session | undefined>,
): Promise<Session | undefined> {
  const sessions = pages.getStore();
  if (!sessions) return findSession();
  const key = tokenHash.toString('base64');
  const session = sessions.get(key) ?? findSession();
  sessions.set(key, session);
  return session;
}
