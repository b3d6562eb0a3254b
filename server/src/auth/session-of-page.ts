import { currentOwner, currentRequest, runInRequest } from '../logging/request-scope.ts';
import type { Session } from './sessions.queries.ts';

/** Renders one page, whose calls look up the visitor's session once. The result is discarded with the page. */
export async function withSessionOfPage<T>(render: () => Promise<T>): Promise<T> {
  const lookups = new Map<string, Promise<unknown>>();
  try {
    return await runInRequest({ requestId: '', owner: currentOwner(), ...currentRequest(), lookups }, render);
  } finally {
    lookups.clear();
  }
}

/** The session of a token: cached for the page that makes this call, or from `findSession`. */
export function oncePerPage(
  tokenHash: Buffer,
  findSession: () => Promise<Session | undefined>,
): Promise<Session | undefined> {
  const lookups = currentRequest()?.lookups;
  if (!lookups) return findSession();
  const key = tokenHash.toString('base64');
  const session = (lookups.get(key) as Promise<Session | undefined> | undefined) ?? findSession();
  lookups.set(key, session);
  return session;
}
