import { AppError } from './http/errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** Lets so many pieces of work run at once. The others wait, each in its turn. */
export class Semaphore {
  #free: number;
  readonly #patienceMs: number | undefined;
  readonly #waiting = new Set<() => void>();

  /** @param patienceMs how long work waits for its turn; as long as it takes when absent */
  constructor(atOnce: number, patienceMs?: number) {
    this.#free = atOnce;
    this.#patienceMs = patienceMs;
  }

  /** How much work waits now. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Runs `work` in its turn. Throws `unavailable` when it waited too long; then it was not begun. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#takeTurn();
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #takeTurn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.delete(begin);
        reject(new AppError('unavailable', { retryAfter: RETRY_AFTER_SECONDS }));
      };
      const timer = this.#patienceMs === undefined ? undefined : setTimeout(giveUp, this.#patienceMs);
      this.#waiting.add(begin);
    });
  }

  #passOn(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
