import type { Call } from '#contract/call.ts';
import { listRequestedPupils } from '#contract/record-views.ts';
import type { UserSession } from '../auth/sessions.queries.ts';
import { countEvent } from '../observability/event-counts.ts';
import { type RecordView, startOfMinute } from './record-views.queries.ts';

/** How long a view waits at most, and so how much a crash can lose. */
const FLUSH_INTERVAL_MS = 5000;
/** Views that wait in this process at most: those of some hundred pages a second. */
export const MAX_WAITING_VIEWS = 5000;

/** Stores views in a transaction of its own. */
type InsertViews = (views: readonly RecordView[]) => Promise<void>;

const keyOf = ({ schoolId, pupilId, userId, isSupport, what, screen, at }: RecordView) =>
  [schoolId, pupilId, userId, isSupport, what, screen, at.getTime()].join();

/**
 * Who looked at which pupil. Views wait in memory and are stored together outside the transactions of requests, so that
 * a page never waits for them. The database makes those of several processes within a minute one.
 */
export class RecordViews {
  readonly #insert: InsertViews;
  #waiting = new Map<string, RecordView>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;

  constructor(insert: InsertViews) {
    this.#insert = insert;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Records what a successful call showed to a user, if it shows pupils' records. */
  record(
    call: Pick<Call, 'views'>,
    request: { params: unknown; query: unknown; shown: readonly number[]; me: UserSession; now: Date },
    isFile: boolean,
  ): void {
    const { me, now } = request;
    if (!call.views || me.schoolId === null) return;
    const { what, screen } = call.views;
    for (const pupilId of [...listRequestedPupils(request), ...request.shown])
      this.#add({
        schoolId: me.schoolId,
        pupilId,
        userId: me.userId,
        isSupport: me.impersonatorId !== null,
        what: isFile ? 'file' : what,
        screen,
        at: startOfMinute(now),
      });
  }

  #add(view: RecordView): void {
    const key = keyOf(view);
    if (this.#waiting.has(key)) return;
    if (this.#waiting.size >= MAX_WAITING_VIEWS) void this.flush();
    // The database does not keep up.
    if (this.#waiting.size >= MAX_WAITING_VIEWS) return countEvent('record_view_lost');
    this.#waiting.set(key, view);
    this.#flushLater();
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  /** Stores the views that wait, or waits for those that are being stored. Never throws. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#flushing && this.#waiting.size > 0) {
      const views = this.#waiting;
      this.#waiting = new Map();
      this.#flushing = this.#store(views).finally(() => {
        this.#flushing = undefined;
        if (this.#waiting.size > 0) this.#flushLater();
      });
    }
    return this.#flushing ?? Promise.resolve();
  }

  /** Stores what waits at shutdown, also what arrived while the views before were being stored. */
  async close(): Promise<void> {
    await this.flush();
    await this.flush();
    clearTimeout(this.#timer);
  }

  /** In the order of their keys, so that two processes never wait for each other. When it fails, the views wait again. */
  async #store(views: ReadonlyMap<string, RecordView>): Promise<void> {
    const sorted = [...views].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, view]) => view);
    try {
      await this.#insert(sorted);
    } catch {
      for (const view of sorted) this.#add(view);
    }
  }
}
