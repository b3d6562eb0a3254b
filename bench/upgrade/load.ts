import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { HOST, type Proxy } from './proxies.ts';
import type { Clients } from './clients.ts';

/** In the path, the query and the Referer of requests: no log may contain it. */
export const SECRET = 'the-secret-of-a-link-and-a-child';

/** A request of the load, and what its reply has to be. */
interface Step {
  name: string;
  method?: 'POST';
  path: string;
  token?: string;
  body?: string | FormData;
  /** Returns whether the reply shows that the request had its effect, and had it for the first time. */
  isDone?: (reply: string) => boolean;
}

interface Outcome {
  status: number;
  reply: string;
}

const LETTERS = 'abcdefghij';
/** A name of letters, because a name has no digits. */
const makeName = (number: number): string =>
  `Ada Lovelace${String(number).replaceAll(/\d/g, (digit) => LETTERS.charAt(Number(digit)))}`;

/** Together at most 15 requests a second: on a slow machine fewer, because each waits for its reply. */
const VISITORS = 5;
const INTERVAL_MS = 333;
/** Nothing of the portal takes so long; a request that hangs must not delay the end. */
const TIMEOUT_MS = 90_000;

/** Visitors behind one proxy, who send requests at a steady rate. */
export class Load {
  readonly failures: string[] = [];
  /** How many requests had their effect, by name. */
  readonly done = new Map<string, number>();
  readonly #proxy: Proxy;
  readonly #clients: Clients;
  readonly #agent: http.Agent;
  #isOver = false;
  #visitors: Promise<void>[] = [];
  #count = 0;

  constructor(proxy: Proxy, clients: Clients) {
    this.#proxy = proxy;
    this.#clients = clients;
    // Its certificate is signed by itself.
    this.#agent = proxy.url.startsWith('https:')
      ? new https.Agent({ keepAlive: true, rejectUnauthorized: false })
      : new http.Agent({ keepAlive: true });
  }

  get sent(): number {
    return this.#count;
  }

  start(): void {
    this.#visitors = Array.from({ length: VISITORS }, () => this.#visit());
  }

  /** Stops the load and waits for the replies that are missing. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#visitors);
  }

  async #visit(): Promise<void> {
    while (!this.#isOver) await Promise.all([this.#run(this.#nextStep()), wait(INTERVAL_MS)]);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Opens a link whose path, query and Referer are secret, and returns the status. */
  async openSecretLink(): Promise<number> {
    return (await this.#send({ name: 'secret link', path: `/setup/${SECRET}?search=${SECRET}` })).status;
  }

  #nextStep(): Step {
    const number = (this.#count += 1);
    const { school, pupils, admins, asset } = this.#clients;
    const admin = admins[number % admins.length]!;
    const readers = `/v1/enterprises/${school.id}/readers`;
    const steps: (() => Step)[] = [
      () => ({ name: 'page', path: '/login' }),
      () => this.#read(number),
      () => ({ name: 'script', path: asset }),
      () => ({ name: 'account', path: '/v1/users/me', token: admin.token }),
      () => this.#read(number),
      () => ({ name: 'pupils', path: readers, token: admin.token }),
      () => (number % 2 === 0 ? this.#logIn() : this.#read(number)),
      () => ({ name: 'secret link', path: `/setup/${SECRET}?search=${SECRET}` }),
      () => this.#read(number),
      () => ({ name: 'books', path: '/v1/reader/books', token: pupils[number % pupils.length]!.token }),
      () =>
        number % 2 === 0 ? this.#paste(number, readers, admin.token) : this.#preview(number, readers, admin.token),
      () => ({ name: 'live', path: '/v1/live' }),
      () => (number % 2 === 0 ? this.#upload(number, readers, admin.token) : this.#order(number)),
      () => ({ name: 'subscription', path: `/v1/enterprises/${school.id}/subscriptions`, token: admin.token }),
      () => ({ name: 'search', path: `${readers}?search=${SECRET}`, token: admin.token }),
    ];
    return steps[number % steps.length]!();
  }

  #read(number: number): Step {
    const { pupils } = this.#clients;
    const session = {
      id: randomUUID(),
      book_id: 101,
      started_at: new Date(Date.now() - 60_000).toISOString(),
      reading_time: 50,
      last_page: 2,
      words_attempted: 10,
      words_correct: 9,
      has_completed_book: false,
      heatmap: [1],
      played_words: [],
      skipped_words: [],
    };
    return {
      name: 'reading session',
      method: 'POST',
      path: '/v1/reader/sessions',
      token: pupils[number % pupils.length]!.token,
      body: JSON.stringify({ sessions: [session] }),
      isDone: (reply) => (JSON.parse(reply) as { accepted: number }).accepted === 1,
    };
  }

  #logIn(): Step {
    const { email, password } = this.#clients.login;
    return { name: 'login', method: 'POST', path: '/v1/auth', body: JSON.stringify({ email, password }) };
  }

  #preview(number: number, path: string, token: string): Step {
    const text = `Name\tClass\n${makeName(number)}\tHerons`;
    return { name: 'preview', method: 'POST', path: `${path}/preview`, token, body: JSON.stringify({ text }) };
  }

  #paste(number: number, path: string, token: string): Step {
    const body = JSON.stringify({ readers: [{ name: makeName(number), class: 'Herons' }] });
    return { name: 'import', method: 'POST', path, token, body, isDone: hasOnePupil };
  }

  #upload(number: number, path: string, token: string): Step {
    const form = new FormData();
    form.append('readers_file', new Blob([`Name,Class\n${makeName(number)},Herons\n`]), 'pupils.csv');
    return { name: 'upload', method: 'POST', path, token, body: form, isDone: hasOnePupil };
  }

  /** A school orders once. When all have ordered, pupils read. */
  #order(number: number): Step {
    const buyer = this.#clients.buyers.pop();
    if (!buyer) return this.#read(number);
    return {
      name: 'order',
      method: 'POST',
      path: `/v1/enterprises/${buyer.id}/subscriptions`,
      token: buyer.admin.token,
      body: JSON.stringify({ package_id: this.#clients.packageId, contact: this.#clients.contact }),
    };
  }

  async #run(step: Step): Promise<void> {
    try {
      const { status, reply } = await this.#send(step);
      if (status !== 200 || step.isDone?.(reply) === false)
        this.failures.push(`${step.name}: ${status} ${reply.slice(0, 200)}`);
      else this.done.set(step.name, (this.done.get(step.name) ?? 0) + 1);
    } catch (error) {
      this.failures.push(`${step.name}: ${(error as Error).message}`);
    }
  }

  async #send({ method, path, token, body }: Step): Promise<Outcome> {
    // Encodes a form.
    const encoded = body === undefined ? undefined : new Response(body);
    const type = typeof body === 'string' ? 'application/json' : encoded?.headers.get('content-type');
    const content = encoded && Buffer.from(await encoded.arrayBuffer());
    const options = {
      method: method ?? 'GET',
      agent: this.#agent,
      timeout: TIMEOUT_MS,
      headers: {
        host: HOST,
        referer: `https://${HOST}/setup/${SECRET}`,
        ...(type && { 'content-type': type }),
        ...(content && { 'content-length': String(content.length) }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
    };
    const library = this.#proxy.url.startsWith('https:') ? https : http;
    return new Promise((done, fail) => {
      const request = library.request(`${this.#proxy.url}${path}`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () => done({ status: response.statusCode ?? 0, reply: Buffer.concat(chunks).toString() }));
      });
      request.on('timeout', () => request.destroy(new Error('No reply.')));
      request.on('error', fail);
      request.end(content);
    });
  }
}

const hasOnePupil = (reply: string): boolean => (JSON.parse(reply) as { readers: unknown[] }).readers.length === 1;
