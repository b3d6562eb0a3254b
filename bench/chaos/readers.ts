import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { PortalProcess } from './portal-process.ts';
import { TIMEOUT_MS } from './report.ts';

/** Enough that none reaches the limit of 120 requests in 300 s, which counts rejected ones too. */
const PUPILS = 80;
const CONCURRENCY = 3;
/** At most 30 requests a second: 113 for each pupil in 300 s. */
const INTERVAL_MS = 100;

export const buildSession = (id: string) => ({
  id,
  book_id: 101,
  started_at: new Date(Date.now() - 60_000).toISOString(),
  reading_time: 60,
  last_page: 1,
  words_attempted: 10,
  words_correct: 9,
  has_completed_book: false,
  heatmap: [1],
  played_words: [],
  skipped_words: [],
});

/** Pupils whose devices send reading sessions without pause, and which of these the portal acknowledged. */
export class Readers {
  readonly acknowledged = new Set<string>();
  /** The pupil's token of each acknowledged session. */
  readonly tokenOf = new Map<string, string>();
  failures = 0;
  tokens: string[] = [];
  #lastSuccess = 0;
  #isOver = false;
  #turn = 0;
  #work: Promise<void>[] = [];
  readonly #portal: PortalProcess;

  constructor(portal: PortalProcess) {
    this.#portal = portal;
  }

  async start(): Promise<void> {
    for (let n = 1; n <= PUPILS; n += 1) {
      const { status, reply } = await this.#portal.request('/v1/reader/auth', {
        username: `demo-pupil-${n}`,
        password: 'reading-1',
      });
      if (status !== 200) throw new Error(`demo-pupil-${n} could not log in: ${status} ${JSON.stringify(reply)}`);
      this.tokens.push((reply.meta as { token: string }).token);
    }
    this.#work = Array.from({ length: CONCURRENCY }, () => this.#sendSessions());
  }

  async #sendSessions(): Promise<void> {
    while (!this.#isOver) {
      const token = this.tokens[this.#turn % PUPILS]!;
      this.#turn += 1;
      const id = randomUUID();
      const sessions = [buildSession(id)];
      if ((await this.#portal.getStatus('/v1/reader/sessions', { sessions }, token)) === 200) {
        this.acknowledged.add(id);
        this.tokenOf.set(id, token);
        this.#lastSuccess = performance.now();
      } else this.failures += 1;
      await wait(INTERVAL_MS);
    }
  }

  /** Waits for the next acknowledged session and returns how many milliseconds it took. */
  async waitForSuccess(): Promise<number> {
    const start = performance.now();
    while (this.#lastSuccess <= start && performance.now() - start < TIMEOUT_MS) await wait(20);
    return performance.now() - start;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
  }
}
