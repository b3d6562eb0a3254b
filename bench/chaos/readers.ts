import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Portal } from '../harness/portal.ts';
import { waitUntil } from '../harness/program.ts';
import { buildSession } from '../harness/reading-session.ts';

/** Enough that none reaches the limit of 120 requests in 300 s, which counts rejected ones too. */
const PUPILS = 80;
const CONCURRENCY = 3;
/** At most 30 requests a second: 113 for each pupil in 300 s. */
const INTERVAL_MS = 100;
/** Long, because a busy machine is slow to log in; the portal itself gives up on a database after 10 s. */
const REQUEST_TIMEOUT_MS = 120_000;

/** Pupils whose devices send reading sessions without pause, and which of these the portal acknowledged. */
export class Readers {
  /** The pupil's token of each acknowledged session, by its ID. */
  readonly acknowledged = new Map<string, string>();
  failures = 0;
  readonly #tokens: string[] = [];
  #isOver = false;
  #turn = 0;
  #work: Promise<void>[] = [];
  readonly #portal: Portal;

  constructor(portal: Portal) {
    this.#portal = portal;
  }

  async #post(path: string, body: object, token?: string): Promise<{ status: number; reply: Record<string, unknown> }> {
    const response = await fetch(this.#portal.url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return { status: response.status, reply: (await response.json()) as Record<string, unknown> };
  }

  async start(): Promise<void> {
    for (let n = 1; n <= PUPILS; n += 1) {
      const login = { username: `demo-pupil-${n}`, password: 'reading-1' };
      const { status, reply } = await this.#post('/v1/reader/auth', login);
      if (status !== 200) throw new Error(`${login.username} could not log in: ${status} ${JSON.stringify(reply)}`);
      this.#tokens.push((reply.meta as { token: string }).token);
    }
    this.#work = Array.from({ length: CONCURRENCY }, () => this.#sendSessions());
  }

  async #sendSessions(): Promise<void> {
    while (!this.#isOver) {
      const token = this.#tokens[this.#turn % PUPILS]!;
      this.#turn += 1;
      const id = randomUUID();
      const status = await this.#post('/v1/reader/sessions', { sessions: [buildSession(id)] }, token).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) this.acknowledged.set(id, token);
      else this.failures += 1;
      await wait(INTERVAL_MS);
    }
  }

  /** Waits until more sessions are acknowledged. */
  async waitForSuccess(count = 1): Promise<void> {
    const before = this.acknowledged.size;
    await waitUntil('sessions are acknowledged', () => this.acknowledged.size >= before + count);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
  }

  /** Sends the acknowledged sessions again. Returns how many the portal reports as stored, which it then rejects as duplicates. */
  async countStored(): Promise<number> {
    let stored = 0;
    for (const token of this.#tokens) {
      const sessions = [...this.acknowledged].filter(([, own]) => own === token).map(([id]) => buildSession(id));
      if (sessions.length === 0) continue;
      const { status, reply } = await this.#post('/v1/reader/sessions', { sessions }, token);
      if (status !== 200) throw new Error(`Sessions that were sent again were answered with ${status}.`);
      stored += Number(reply.duplicates);
    }
    return stored;
  }
}
