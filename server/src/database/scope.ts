import { type Kysely, sql } from 'kysely';
import type { JobQueue } from './database.ts';
import type { Tables } from './tables.ts';

type State = 'open' | 'suspended' | 'closed';

const STATE_ERRORS: Record<Exclude<State, 'open'>, string> = {
  suspended: 'This handle is suspended: another scope of its transaction is open. Use the handle of that scope.',
  closed: 'This handle is closed: its scope has ended. A handle lives as long as the function that it was given to.',
};

/** The origin of a scope: a transaction, or the scope around it. */
export type Origin = { transaction: Kysely<Tables>; jobs: JobQueue | undefined } | Scope;

/**
 * A handle on a transaction, which determines whose rows it can see and whether it can be used now. It is open while
 * its function runs, suspended while a nested scope is open, and closed afterwards. A statement sent through `tx` of a
 * handle that is not open throws and is not sent.
 */
export abstract class Scope {
  readonly tx: Kysely<Tables>;
  readonly jobs: JobQueue | undefined;
  /** The transaction itself, whatever the state of the handle. */
  readonly #transaction: Kysely<Tables>;
  /** The statements that set the role of this scope. */
  readonly #settings: readonly string[];
  readonly #outer: Scope | undefined;
  #state: State = 'open';

  protected constructor(origin: Origin, settings: readonly string[]) {
    this.#outer = origin instanceof Scope ? origin : undefined;
    this.#transaction = origin instanceof Scope ? origin.#transaction : origin.transaction;
    this.jobs = origin.jobs;
    this.#settings = settings;
    this.tx = guardTransaction(this.#transaction, () => this.#assertOpen());
  }

  #assertOpen(): void {
    if (this.#state !== 'open') throw new Error(STATE_ERRORS[this.#state]);
    // The function of the outer scope may have returned without waiting for this one.
    if (this.#outer && this.#outer.#state !== 'suspended') throw new Error(STATE_ERRORS.closed);
  }

  async #takeRole(): Promise<void> {
    for (const statement of this.#settings) await sql.raw(statement).execute(this.#transaction);
  }

  /** Sets the role and runs `work`, then closes the handle. */
  protected async runInRole<T>(work: () => Promise<T>): Promise<T> {
    try {
      await this.#takeRole();
      return await work();
    } finally {
      this.#state = 'closed';
    }
  }

  /** Does the same inside another scope, which is suspended meanwhile and gets its role back afterwards. */
  protected async runInside<T>(outer: Scope, work: () => Promise<T>): Promise<T> {
    outer.#assertOpen();
    outer.#state = 'suspended';
    let result: T;
    try {
      result = await this.runInRole(work);
    } catch (error) {
      // An aborted transaction accepts only its rollback, so the outer handle is closed as well.
      await outer.#resume().catch(() => undefined);
      throw error;
    }
    await outer.#resume();
    return result;
  }

  async #resume(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    await this.#takeRole();
    this.#state = 'open';
  }
}

/** Wraps the transaction with a check before each statement, from builders, plain SQL or compiled queries. */
function guardTransaction(transaction: Kysely<Tables>, assertOpen: () => void): Kysely<Tables> {
  const tx = transaction.withPlugin({
    transformQuery({ node }) {
      assertOpen();
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const executeQuery = tx.executeQuery.bind(tx);
  tx.executeQuery = async (query, options) => {
    assertOpen();
    return executeQuery(query, options);
  };
  return tx;
}
