import PQueue from 'p-queue';
import type { AppError } from './http/errors.ts';

interface Limits {
  concurrency: number;
  maxWaiting: number;
  /** How long work may wait for its start; as long as it takes when absent. */
  maxWaitMs?: number;
  /** The error for work that is rejected because too much waits, or because it has waited too long. */
  overloaded: () => AppError;
}

/** Runs a limited amount of work at once. More waits in the order in which it arrived, up to a limit. */
export class BoundedQueue {
  readonly #queue: PQueue;
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#queue = new PQueue({ concurrency: limits.concurrency });
  }

  get waitingCount(): number {
    return this.#queue.size;
  }

  /**
   * Runs `work` when a slot is free. Work that is rejected never starts.
   * @param signal removes the work while it waits; work that has started finishes
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { maxWaiting, maxWaitMs, overloaded } = this.#limits;
    signal?.throwIfAborted();
    if (this.#queue.size >= maxWaiting) throw overloaded();
    const waiting = new AbortController();
    const leave = () => waiting.abort(signal?.reason);
    signal?.addEventListener('abort', leave);
    const timer = maxWaitMs === undefined ? undefined : setTimeout(() => waiting.abort(overloaded()), maxWaitMs);
    const stopWaiting = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
    const start = () => {
      stopWaiting();
      return work();
    };
    // The library would free the slot of running work whose signal fires, so the signal ends with the wait.
    return this.#queue.add(start, { signal: waiting.signal }).finally(stopWaiting);
  }
}
