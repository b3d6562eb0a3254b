import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { buildSession } from '../harness/reading-session.ts';
import type { Clients } from './clients.ts';
import { HOST, type Proxy } from './proxies.ts';

/** In the path, the query and the Referer of requests: no log may contain it. */
export const SECRET = 'the-secret-of-a-link-and-a-child';

/** A request of the load: a POST if it has a body, which is sent as JSON unless it is a form. */
interface Step {
  name: string;
  path: string;
  token?: string;
  body?: object;
  /** Returns whether the reply shows that the request had its effect, and had it for the first time. */
  isDone?: (reply: unknown) => boolean;
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

const SECRET_LINK: Step = { name: 'secret link', path: `/setup/${SECRET}?search=${SECRET}` };

const hasOnePupil = (reply: unknown): boolean => (reply as { readers: unknown[] }).readers.length === 1;

/** Visitors behind one proxy, who send requests at a steady rate. */
export class Load {
  readonly failures: string[] = [];
  /** How many requests had their effect, by name. */
  readonly done = new Map<string, number>();
  readonly #proxy: Proxy;
  readonly #clients: Clients;
  #isOver = false;
  #visitors: Promise<void>[] = [];
  #count = 0;
  #orders = 0;

  constructor(proxy: Proxy, clients: Clients) {
    this.#proxy = proxy;
    this.#clients = clients;
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

  /** Opens a link whose path, query and Referer are secret, and returns the status. */
  async openSecretLink(): Promise<number> {
    return (await this.#send(SECRET_LINK)).status;
  }

  #nextStep(): Step {
    const number = (this.#count += 1);
    const { school, pupils, admins, asset, login, buyers, packageId, contact } = this.#clients;
    const { token } = admins[number % admins.length]!;
    const readers = `/v1/enterprises/${school.id}/readers`;
    const read = (): Step => ({
      name: 'reading session',
      path: '/v1/reader/sessions',
      token: pupils[number % pupils.length]!.token,
      body: { sessions: [buildSession()] },
      isDone: (reply) => (reply as { accepted: number }).accepted === 1,
    });
    const logIn = (): Step => ({
      name: 'login',
      path: '/v1/auth',
      body: { email: login.email, password: login.password },
    });
    const preview = (): Step => {
      const body = { text: `Name\tClass\n${makeName(number)}\tHerons` };
      return { name: 'preview', path: `${readers}/preview`, token, body };
    };
    const paste = (): Step => {
      const body = { readers: [{ name: makeName(number), class: 'Herons' }] };
      return { name: 'import', path: readers, token, body, isDone: hasOnePupil };
    };
    const upload = (): Step => {
      const body = new FormData();
      body.append('readers_file', new Blob([`Name,Class\n${makeName(number)},Herons\n`]), 'pupils.csv');
      return { name: 'upload', path: readers, token, body, isDone: hasOnePupil };
    };
    const order = (): Step => {
      const buyer = buyers[this.#orders];
      // When all schools have ordered, pupils read.
      if (!buyer) return read();
      this.#orders += 1;
      const body = { package_id: packageId, contact };
      return { name: 'order', path: `/v1/enterprises/${buyer.id}/subscriptions`, token: buyer.admin.token, body };
    };
    const isEven = number % 2 === 0;
    const steps: (() => Step)[] = [
      () => ({ name: 'page', path: '/login' }),
      read,
      () => ({ name: 'script', path: asset }),
      () => ({ name: 'account', path: '/v1/users/me', token }),
      read,
      () => ({ name: 'pupils', path: readers, token }),
      isEven ? logIn : read,
      () => SECRET_LINK,
      read,
      () => ({ name: 'books', path: '/v1/reader/books', token: pupils[number % pupils.length]!.token }),
      isEven ? paste : preview,
      () => ({ name: 'live', path: '/v1/live' }),
      isEven ? upload : order,
      () => ({ name: 'subscription', path: `/v1/enterprises/${school.id}/subscriptions`, token }),
      () => ({ name: 'search', path: `${readers}?search=${SECRET}`, token }),
    ];
    return steps[number % steps.length]!();
  }

  async #run(step: Step): Promise<void> {
    try {
      const { status, reply } = await this.#send(step);
      if (status !== 200 || step.isDone?.(JSON.parse(reply)) === false)
        this.failures.push(`${step.name}: ${status} ${reply.slice(0, 200)}`);
      else this.done.set(step.name, (this.done.get(step.name) ?? 0) + 1);
    } catch (error) {
      this.failures.push(`${step.name}: ${(error as Error).message}`);
    }
  }

  /** Not by `fetch`, which sends the address of the proxy as the host. */
  async #send({ path, token, body }: Step): Promise<{ status: number; reply: string }> {
    const encoded = body && new Response(body instanceof FormData ? body : JSON.stringify(body));
    const type = body instanceof FormData ? encoded?.headers.get('content-type') : 'application/json';
    const content = encoded && Buffer.from(await encoded.arrayBuffer());
    const headers = {
      host: HOST,
      referer: `https://${HOST}${SECRET_LINK.path}`,
      ...(content && { 'content-type': type!, 'content-length': content.length }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const { request } = this.#proxy.url.startsWith('https:') ? https : http;
    // The certificate of nginx is signed by itself.
    const options = { method: body ? 'POST' : 'GET', headers, timeout: TIMEOUT_MS, rejectUnauthorized: false };
    const sent = request(this.#proxy.url + path, options);
    sent.on('timeout', () => sent.destroy(new Error('No reply.')));
    sent.end(content);
    const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
    return { status: response.statusCode ?? 0, reply: await text(response) };
  }
}
