import type { PageCall } from '#contract/pages.ts';
import { parseCookie, parseSetCookie, stringifyCookie } from 'cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What a change needs of the visitor's own request: whose page it comes from, and what the list of sessions names. */
const HEADERS_OF_CHANGE = ['origin', 'sec-fetch-site', 'user-agent'];

/**
 * Makes a call for the visitor through the whole pipeline, with their address, permissions and limits. The cookies that
 * it sets go to the visitor.
 */
export async function callInProcess(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  address: string,
  change?: PageCall,
): Promise<Response> {
  const passed = ['host', 'x-forwarded-for', ...(change ? HEADERS_OF_CHANGE : [])];
  const answer = await app.inject({
    method: (change?.method ?? 'GET') as 'GET',
    url: address,
    remoteAddress: request.raw.socket.remoteAddress ?? '',
    headers: {
      accept: 'application/json',
      cookie: cookiesFor(request, reply),
      ...Object.fromEntries(passed.flatMap((name) => (request.headers[name] ? [[name, request.headers[name]]] : []))),
      ...(change?.idempotencyKey && { 'idempotency-key': change.idempotencyKey }),
    },
    ...(change?.body !== undefined && { payload: change.body as object }),
  });
  const { statusCode, headers, rawPayload } = answer;
  if (headers['set-cookie']) reply.header('set-cookie', headers['set-cookie']);
  const kept = ['content-type', 'retry-after'].flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])] as [string, string]],
  );
  return new Response(statusCode === 204 ? null : new Uint8Array(rawPayload), { status: statusCode, headers: kept });
}

/** The visitor's cookies, as earlier calls of the page have replaced them: joining a school renews that of the session. */
function cookiesFor({ headers }: FastifyRequest, reply: FastifyReply): string {
  const set = [reply.getHeader('set-cookie') ?? []].flat().map((line) => parseSetCookie(String(line)));
  return stringifyCookie({
    ...parseCookie(headers.cookie ?? ''),
    ...Object.fromEntries(set.map(({ name, value }) => [name, value])),
  });
}
