const INTERVAL_MS = 1000;

/** Reports rejected requests at most once a second, because an overload would flood the log. */
export class LoadWarnings {
  readonly #warn: (rejected: number) => void;
  readonly #now: () => number;
  #lastAt = -Infinity;
  #rejected = 0;

  /** @param warn receives the number of requests rejected since the last warning */
  constructor(warn: (rejected: number) => void, now: () => number = () => performance.now()) {
    this.#warn = warn;
    this.#now = now;
  }

  note(): void {
    this.#rejected += 1;
    const now = this.#now();
    if (now - this.#lastAt < INTERVAL_MS) return;
    this.#warn(this.#rejected);
    this.#lastAt = now;
    this.#rejected = 0;
  }
}
