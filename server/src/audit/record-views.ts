import type { FastifyBaseLogger } from 'fastify';
import type { UserSession } from '../auth/sessions.queries.ts';
import { countEvent } from '../logging/event-counts.ts';
import { withoutValues } from '../logging/loggable-error.ts';
import type { ShownPupils } from './shown-pupils.ts';

/** What one person saw of the same pupil or list, once or several times. */
export interface RecordedView extends ShownPupils {
  userId: number;
  isSupport: boolean;
  /** The program that received the data; 0 for a person. */
  programId: number;
  count: number;
  firstAt: Date;
  lastAt: Date;
}

/** A page makes several calls, and is rendered on the server before: views within a minute are one. */
export const SAME_VIEW_MS = 60_000;

/** Adds up views of the same thing by the same person. A pupil in either is a pupil of both. */
export function mergeViews(a: RecordedView, b: RecordedView): RecordedView {
  const firstAt = a.firstAt < b.firstAt ? a.firstAt : b.firstAt;
  const lastAt = a.lastAt > b.lastAt ? a.lastAt : b.lastAt;
  const isSame =
    a.firstAt.getTime() < b.lastAt.getTime() + SAME_VIEW_MS && b.firstAt.getTime() < a.lastAt.getTime() + SAME_VIEW_MS;
  const count = a.count + b.count - (isSame ? 1 : 0);
  return { ...a, count, firstAt, lastAt, pupilIds: [...new Set([...a.pupilIds, ...b.pupilIds])] };
}

/** How long a view waits at most while the database works, and so how much a crash can lose. */
const FLUSH_INTERVAL_MS = 5000;
/** Pupils in the views that wait for one school at most, so that a school that fails leaves room for the others. */
export const MAX_WAITING_PUPILS_PER_SCHOOL = 20_000;
/** Pupils in all views that wait in this process at most. */
const MAX_WAITING_PUPILS = 200_000;
/** Schools whose views are stored at the same time. */
const LANES = 4;
/** Flushes that a failing school is left out of at most: five minutes. */
const MAX_SKIPPED_FLUSHES = 60;
/** How long a stop waits for the database. */
const CLOSE_DEADLINE_MS = 3000;
/** Views of different quarters are not merged in memory, because every time zone's days begin with a quarter of an hour. */
const QUARTER_MS = 900_000;

/** Stores views of one school in a transaction of its own. */
type StoreViews = (schoolId: number, views: readonly RecordedView[]) => Promise<void>;

/** The views of one school that are not stored yet. */
interface SchoolQueue {
  waiting: Map<string, RecordedView>;
  storing: readonly RecordedView[];
  /** Resolves when those being stored are stored or wait again. */
  stored: Promise<void> | undefined;
  /** Pupils in all these views. */
  pupils: number;
  failures: number;
  flushesToSkip: number;
}

const keyOf = ({ about, aboutId, userId, isSupport, programId, what, screen, firstAt }: RecordedView) =>
  [about, aboutId, userId, isSupport, programId, what, screen, Math.floor(firstAt.getTime() / QUARTER_MS)].join();

/**
 * Who looked at which pupils. Views wait in memory and are stored school by school outside the transactions of requests,
 * so that a page never waits for them, and a school whose machine fails delays only its own.
 */
export class RecordViews {
  readonly #store: StoreViews;
  readonly #log: Pick<FastifyBaseLogger, 'error'>;
  readonly #schools = new Map<number, SchoolQueue>();
  #pupils = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(store: StoreViews, log: Pick<FastifyBaseLogger, 'error'>) {
    this.#store = store;
    this.#log = log;
  }

  /** The number of views that are not stored yet. */
  get waitingCount(): number {
    return [...this.#schools.values()].reduce((sum, { waiting, storing }) => sum + waiting.size + storing.length, 0);
  }

  /** Records what a reply showed to a member of staff. */
  record(
    shown: ShownPupils,
    me: Pick<UserSession, 'schoolId' | 'userId' | 'impersonatorId' | 'program'>,
    now: Date,
  ): void {
    if (me.schoolId === null) return;
    const view = { ...shown, userId: me.userId, isSupport: me.impersonatorId !== null, programId: me.program?.id ?? 0 };
    const queue = this.#queueOf(me.schoolId);
    if (this.#add(queue, { ...view, count: 1, firstAt: now, lastAt: now })) this.#flushLater();
    else countEvent('record_view_lost');
  }

  #queueOf(schoolId: number): SchoolQueue {
    const known = this.#schools.get(schoolId);
    if (known) return known;
    const queue = { waiting: new Map(), storing: [], stored: undefined, pupils: 0, failures: 0, flushesToSkip: 0 };
    this.#schools.set(schoolId, queue);
    return queue;
  }

  /** Returns false when there is no room for the view. */
  #add(queue: SchoolQueue, view: RecordedView): boolean {
    const key = keyOf(view);
    const same = queue.waiting.get(key);
    const merged = same ? mergeViews(same, view) : view;
    const more = merged.pupilIds.length - (same?.pupilIds.length ?? 0);
    if (queue.pupils + more > MAX_WAITING_PUPILS_PER_SCHOOL || this.#pupils + more > MAX_WAITING_PUPILS) return false;
    queue.waiting.set(key, merged);
    this.#countPupils(queue, more);
    return true;
  }

  #countPupils(queue: SchoolQueue, more: number): void {
    queue.pupils += more;
    this.#pupils += more;
  }

  #flushLater(): void {
    if (!this.#isClosed) this.#timer ??= setTimeout(() => this.#flushDue(), FLUSH_INTERVAL_MS).unref();
  }

  /** Begins to store the views of all schools, except of those that failed a short time ago. */
  #flushDue(): void {
    this.#timer = undefined;
    const due = [...this.#schools].filter(([, queue]) => !queue.stored && queue.flushesToSkip-- <= 0);
    void this.#storeSchools(due);
    if (this.#schools.size > 0) this.#flushLater();
  }

  /** Stores the views that wait, or waits for those that are being stored. Never throws. */
  async flush(): Promise<void> {
    await this.#storeSchools([...this.#schools]);
  }

  /** Stores what waits at shutdown, also what arrived while the views before were being stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    let deadline: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (deadline = setTimeout(resolve, CLOSE_DEADLINE_MS)));
    await Promise.race([this.flush().then(() => this.flush()), late]);
    clearTimeout(deadline);
    const lost = this.waitingCount;
    if (lost === 0) return;
    countEvent('record_view_lost', lost);
    this.#log.error({ views: lost, schools: this.#schools.size }, 'stopped before all views of pupils were stored');
  }

  async #storeSchools(schools: readonly [number, SchoolQueue][]): Promise<void> {
    const next = schools.values();
    const work = async () => {
      for (const [schoolId, queue] of next) {
        queue.stored ??= this.#storeQueue(schoolId, queue).finally(() => (queue.stored = undefined));
        await queue.stored;
      }
    };
    await Promise.all(Array.from({ length: LANES }, work));
  }

  /** When it fails, the views wait again, twice as long after each failure. */
  async #storeQueue(schoolId: number, queue: SchoolQueue): Promise<void> {
    queue.storing = [...queue.waiting.values()];
    queue.waiting = new Map();
    let failed: readonly RecordedView[] = [];
    try {
      if (queue.storing.length > 0) await this.#store(schoolId, queue.storing);
      queue.failures = 0;
    } catch (error) {
      failed = queue.storing;
      queue.failures += 1;
      this.#log.error({ err: withoutValues(error), school: schoolId, views: failed.length }, 'views not stored');
    }
    queue.flushesToSkip = queue.failures === 0 ? 0 : Math.min(2 ** queue.failures - 1, MAX_SKIPPED_FLUSHES);
    this.#countPupils(queue, -queue.storing.reduce((sum, { pupilIds }) => sum + pupilIds.length, 0));
    queue.storing = [];
    for (const view of failed) if (!this.#add(queue, view)) countEvent('record_view_lost', view.count);
    if (queue.waiting.size === 0) this.#schools.delete(schoolId);
  }
}
