import { z } from 'zod';
import { outbound, ReplyTooLongError, UnreachableError } from '../../../http/outbound-fetch.ts';
import { retryWait } from '../../../http/retry-wait.ts';
import { SchoolRecordsFileError } from './file-content.service.ts';

/** A OneRoster server, and the school's credentials for it. */
export interface OneRosterServer {
  /** The address to which `/users` is added. */
  url: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
}

/** A OneRoster server of version 1.1 has it in its address. All others are taken for 1.2. */
const VERSION_1_1 = /\/v1p1(\/|$)/i;
const PAGE_RECORDS = 500;
const MAX_RECORDS = 100_000;
const MAX_REQUESTS = 1000;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 60 * 1024 * 1024;
const MAX_TOKEN_BYTES = 64 * 1024;
const REQUEST_MS = 30_000;
const MAX_RETRIES = 4;
const MAX_RETRY_WAIT_MS = 60_000;

type Kind = 'users' | 'classes' | 'enrollments' | 'orgs';

const tokenReply = z.object({ access_token: z.string().min(1).max(8192) });
const total = z.coerce.number().int().min(0);

/** The time to wait before the next try: what the server asks for, in seconds or as a date, or longer each time. */
function retryDelay(reply: Response, attempt: number, now: Date): number {
  const stated = reply.headers.get('retry-after') ?? '';
  const date = Date.parse(stated);
  if (/^\d+$/.test(stated)) return Number(stated) * 1000;
  return Number.isNaN(date) ? 1000 * 2 ** attempt : Math.max(0, date - now.getTime());
}

/**
 * Reads from a OneRoster server. Each failure is a SchoolRecordsFileError that says what to do.
 * @param allowsPrivate for tests and development: also http and private addresses
 * @param signal ends the reading: by its time limit, or because the process stops
 */
export function makeOneRosterClient(
  server: OneRosterServer,
  { allowsPrivate, signal, now }: { allowsPrivate: boolean; signal: AbortSignal; now: Date },
) {
  const fetch = outbound.makeFetch(allowsPrivate);
  const isVersion11 = VERSION_1_1.test(server.url);
  // The only scope requested: no demographics, results or resources.
  const scope = `https://purl.imsglobal.org/spec/or/${isVersion11 ? 'v1p1' : 'v1p2'}/scope/roster-core.readonly`;
  const version = isVersion11 ? 'OneRoster 1.1' : 'OneRoster 1.2';
  let token: string | undefined;
  let requests = 0;
  let bytes = 0;

  function toFailure(url: URL, error: unknown): unknown {
    if (signal.aborted && (signal.reason as Error).name !== 'TimeoutError') return signal.reason;
    if (signal.aborted)
      return new SchoolRecordsFileError(`${url.host} took too long to answer. Check again later, or ask its supplier.`);
    if (error instanceof ReplyTooLongError)
      return new SchoolRecordsFileError(
        `${url.host} sent too much at once. Ask its supplier to send pages of 500 records.`,
      );
    if (!(error instanceof UnreachableError)) return error;
    return new SchoolRecordsFileError(
      `We could not reach ${url.host}, or its answer was cut off. Check the address: it must begin with https and be public.`,
    );
  }

  /** Sends a request, and again when the server is busy. */
  async function send(url: URL, request: { method?: string; headers: Record<string, string>; body?: string }) {
    for (let attempt = 0; ; attempt += 1) {
      requests += 1;
      if (requests > MAX_REQUESTS)
        throw new SchoolRecordsFileError(
          `${url.host} sends too little at once. Ask its supplier for pages of 500 records.`,
        );
      const reply = await fetch(url.href, {
        ...request,
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
        maxBytes: request.method === 'POST' ? MAX_TOKEN_BYTES : MAX_PAGE_BYTES,
        returnsServerErrors: true,
      }).catch((error: unknown) => {
        throw toFailure(url, error);
      });
      if (reply.status !== 429 && reply.status < 500) return reply;
      const delay = retryDelay(reply, attempt, now);
      if (attempt === MAX_RETRIES || delay > MAX_RETRY_WAIT_MS)
        throw new SchoolRecordsFileError(
          `${url.host} ${reply.status === 429 ? 'is busy' : 'has a fault'} (${reply.status}). Check again later, or ask its supplier.`,
        );
      await retryWait.wait(delay, signal).catch((error: unknown) => {
        throw toFailure(url, error);
      });
    }
  }

  async function readJson(url: URL, reply: Response): Promise<unknown> {
    const text = await reply.text();
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_BYTES)
      throw new SchoolRecordsFileError(`${url.host} sent more than ${MAX_BYTES / 1024 / 1024} MB. Ask its supplier.`);
    try {
      return JSON.parse(text);
    } catch {
      throw new SchoolRecordsFileError(
        `${url.host} did not answer in JSON, or its answer was cut off. Check the address, or ask its supplier.`,
      );
    }
  }

  /** Gets a token by the client credentials. */
  async function renewToken(): Promise<string> {
    const url = new URL(server.tokenUrl);
    const credentials = [server.clientId, server.clientSecret].map(encodeURIComponent).join(':');
    const reply = await send(url, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
    });
    if (reply.status === 400 || reply.status === 401 || reply.status === 403)
      throw new SchoolRecordsFileError(
        `${url.host} did not accept the client ID and secret, or they do not allow reading the school’s records. Press Change and enter the current ones.`,
      );
    const parsed = reply.ok ? tokenReply.safeParse(await readJson(url, reply)) : undefined;
    if (!parsed?.success)
      throw new SchoolRecordsFileError(`${url.host} gave us no token (${reply.status}). Check the token address.`);
    return parsed.data.access_token;
  }

  async function get(kind: Kind, offset: number): Promise<{ url: URL; reply: Response }> {
    const url = new URL(`${server.url.replace(/\/+$/, '')}/${kind}`);
    url.search = new URLSearchParams({
      limit: String(PAGE_RECORDS),
      offset: String(offset),
      sort: 'sourcedId',
      orderBy: 'asc',
    }).toString();
    for (let isRenewed = false; ; isRenewed = true) {
      const renewed: string = token ?? (await renewToken());
      token = renewed;
      const reply = await send(url, { headers: { authorization: `Bearer ${renewed}`, accept: 'application/json' } });
      if (reply.status !== 401) return { url, reply };
      token = undefined;
      if (isRenewed)
        throw new SchoolRecordsFileError(
          `${url.host} did not accept its own token. Ask its supplier about this client ID.`,
        );
    }
  }

  async function getPage<Item>(kind: Kind, item: z.ZodType<Item>, offset: number) {
    const { url, reply } = await get(kind, offset);
    if (reply.status === 403)
      throw new SchoolRecordsFileError(
        `${url.host} does not let us read ${kind}. Ask its supplier for the scope roster-core.`,
      );
    if (!reply.ok)
      throw new SchoolRecordsFileError(
        `There is no ${version} at ${url.host} (${reply.status}). Check the address, which often ends in /ims/oneroster/${isVersion11 ? 'v1p1' : 'rostering/v1p2'}.`,
      );
    const count = total.safeParse(reply.headers.get('x-total-count') ?? undefined);
    if (!count.success)
      throw new SchoolRecordsFileError(
        `${url.host} does not state how many ${kind} there are (X-Total-Count), so we cannot tell whether any are missing. Ask its supplier.`,
      );
    const parsed = z.object({ [kind]: z.array(item) }).safeParse(await readJson(url, reply));
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path.filter((part) => typeof part === 'string').join('.') || kind;
      throw new SchoolRecordsFileError(
        `${url.host} sent “${field}” in another form than ${version}. Ask its supplier.`,
      );
    }
    return { host: url.host, total: count.data, items: parsed.data[kind] ?? [] };
  }

  return {
    /**
     * Reads all records of a kind, in pages that overlap by one record: if the list changes in between, the overlap does
     * too.
     */
    async readAll<Item extends { sourcedId: string }>(kind: Kind, item: z.ZodType<Item>): Promise<Item[]> {
      const records = new Map<string, Item>();
      let last: string | undefined;
      let stated: number | undefined;
      for (;;) {
        const page = await getPage(kind, item, Math.max(0, records.size - 1));
        const isMoved = last !== undefined && page.items[0]?.sourcedId !== last;
        if ((stated !== undefined && page.total !== stated) || (isMoved && page.items.length > 0))
          throw new SchoolRecordsFileError(
            `The ${kind} of ${page.host} changed while we read them. Check again later.`,
          );
        stated = page.total;
        if (stated === 0)
          throw new SchoolRecordsFileError(
            `${page.host} has no ${kind} at the moment. Check again later, or ask its supplier.`,
          );
        if (stated > MAX_RECORDS)
          throw new SchoolRecordsFileError(
            `${page.host} has ${stated.toLocaleString('en-GB')} ${kind}. We can read ${MAX_RECORDS.toLocaleString('en-GB')}. Ask its supplier for access to your school alone.`,
          );
        const fresh = last === undefined ? page.items : page.items.slice(1);
        for (const record of fresh) {
          if (records.has(record.sourcedId))
            throw new SchoolRecordsFileError(
              `${page.host} sent the same sourcedId twice in ${kind}. Ask its supplier.`,
            );
          records.set(record.sourcedId, record);
          last = record.sourcedId;
        }
        if (records.size === stated) return [...records.values()];
        if (fresh.length === 0 || records.size > stated)
          throw new SchoolRecordsFileError(
            `${page.host} states ${stated} ${kind} but sent ${records.size}. Check again later, or ask its supplier.`,
          );
      }
    },
  };
}
