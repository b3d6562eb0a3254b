import { vi } from 'vitest';

/** Replies by method and path, such as `GET /v1/enterprises/7`, built from the body of the request. */
type Replies = Record<string, (body: unknown) => object>;

/**
 * Replaces the server for one test. Requests without a reply are answered with 404. Returns the bodies sent, by
 * method and path.
 */
export function fakeApi(replies: Replies): Record<string, unknown[]> {
  const sent: Record<string, unknown[]> = {};
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const name = `${method} ${url}`;
    const input: unknown = typeof body === 'string' ? JSON.parse(body) : null;
    (sent[name] ??= []).push(input);
    const reply = replies[name]?.(input) ?? rejectWith(404, { error: `No reply for ${name}`, error_type: 'not_found' });
    return reply instanceof Response ? reply : Response.json(reply);
  });
  return sent;
}

/** The reply of a call that fails. */
export const rejectWith = (status: number, error: object): Response => Response.json(error, { status });
