import { lookup, type LookupAddress } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, type RequestOptions } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** The other server cannot be reached, is too slow or fails, or its reply is too long. */
export class UnreachableError extends Error {}

/** A reply is longer than the request allows. */
export class ReplyTooLongError extends UnreachableError {}

const MAX_REPLY_BYTES = 1_000_000;

/** Networks of IPv4 that are private or have a special purpose (RFC 6890 and its registry). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** The one network of IPv6 from which public addresses are assigned. */
const ASSIGNED_IPV6 = ['2000::/3'];
/** The networks in it with a special purpose: protocols such as Teredo and ORCHID, documentation, 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function makeList(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length] = network.split('/');
    list.addSubnet(address, Number(length), family);
  }
  return list;
}
const specialIpv4 = makeList(SPECIAL_IPV4, 'ipv4');
const assignedIpv6 = makeList(ASSIGNED_IPV6, 'ipv6');
const specialIpv6 = makeList(SPECIAL_IPV6, 'ipv6');

/** Returns whether an address may be anyone's on the internet. An IPv4 address written as IPv6 may not. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !specialIpv4.check(address, 'ipv4');
  return family === 6 && assignedIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}

/** Finds the public addresses of a name; a name that has only others is not found. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const [first, ...rest] = error ? [] : found.filter(({ address }) => isPublic(address));
    if (!first) callback(error ?? new Error(`${hostname} has no public address`), '', 0);
    else if (options.all) callback(null, [first, ...rest]);
    else callback(null, first.address, first.family);
  });
};

interface OutboundRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: { toString(): string } | null | undefined;
  signal?: AbortSignal | undefined;
  /** A megabyte when absent. */
  maxBytes?: number;
  /** Returns a reply with a status of 500 and more, instead of throwing. */
  returnsServerErrors?: boolean;
}

async function readReply(reply: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of reply as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > maxBytes) throw new ReplyTooLongError('The reply is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * `fetch` for addresses that a user or another server names: only https and public addresses, no redirects, replies of
 * bounded length. Throws UnreachableError.
 * @param allowsPrivate for tests and development: also http and private addresses
 */
export const makeOutboundFetch =
  (allowsPrivate: boolean) =>
  async (address: string, request: OutboundRequest = {}): Promise<Response> => {
    const { method = 'GET', headers = {}, body, signal, maxBytes = MAX_REPLY_BYTES, returnsServerErrors } = request;
    const url = new URL(address);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (!allowsPrivate && (url.protocol !== 'https:' || (isIP(host) > 0 && !isPublic(host))))
      throw new UnreachableError(`${url.host} is not a public address with https`);
    const options: RequestOptions = {
      // A connection of its own: the other server may have closed one that was idle.
      agent: false,
      method,
      headers,
      ...(signal && { signal }),
      ...(!allowsPrivate && { lookup: lookupPublic }),
    };
    try {
      const reply = await new Promise<IncomingMessage>((done, fail) => {
        const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, done);
        sent.on('error', fail);
        sent.end(body?.toString());
      });
      const content = await readReply(reply, maxBytes);
      const status = reply.statusCode ?? 500;
      if (status >= 500 && !returnsServerErrors) throw new UnreachableError(`${url.host} answered ${status}`);
      const received = Object.entries(reply.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      return new Response(content.length > 0 ? new Uint8Array(content) : null, { status, headers: received });
    } catch (error) {
      throw error instanceof UnreachableError ? error : new UnreachableError(url.host, { cause: error });
    }
  };

/** How the portal reaches providers and OneRoster servers; a test replaces it to stand in for Microsoft and Google. */
export const outbound = { makeFetch: makeOutboundFetch };
