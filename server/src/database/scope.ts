import { type Kysely, sql } from 'kysely';
import type { JobQueue } from './database.ts';
import type { Tables } from './tables.ts';

type State = 'open' | 'suspended' | 'over';

const REFUSALS: Record<Exclude<State, 'open'>, string> = {
  suspended: 'This handle is suspended: another scope of its transaction is open. Use the handle of that scope.',
  over: 'This handle is over: its scope has ended. A handle lives as long as the function that it was given to.',
};

/** What a scope stands in: a transaction that has begun, or another scope of one. */
export type Origin = { transaction: Kysely<Tables>; jobs: JobQueue | undefined } | Scope;

/**
 * A handle on a transaction: whose rows it reaches, and whether it may be used now. It is open while the function
 * that it was given to runs, suspended while a scope inside of that one is open, and over afterwards.
 * Every statement sent through `tx` of a handle that is not open throws and is not sent.
 */
export abstract class Scope {
  readonly tx: Kysely<Tables>;
  readonly jobs: JobQueue | undefined;
  /** The transaction itself, whatever the state. */
  readonly #transaction: Kysely<Tables>;
  /** The statements that take the role of this scope. */
  readonly #settings: readonly string[];
  readonly #outer: Scope | undefined;
  #state: State = 'open';

  protected constructor(origin: Origin, settings: readonly string[]) {
    this.#outer = origin instanceof Scope ? origin : undefined;
    this.#transaction = origin instanceof Scope ? origin.#transaction : origin.transaction;
    this.jobs = origin.jobs;
    this.#settings = settings;
    this.tx = guarded(this.#transaction, () => this.#assertOpen());
  }

  #assertOpen(): void {
    if (this.#state !== 'open') throw new Error(REFUSALS[this.#state]);
    // The function of the outer scope may have returned without waiting for this one.
    if (this.#outer && this.#outer.#state !== 'suspended') throw new Error(REFUSALS.over);
  }

  async #takeRole(): Promise<void> {
    for (const statement of this.#settings) await sql.raw(statement).execute(this.#transaction);
  }

  /** Runs `work` in the role that the transaction has; the handle is over afterwards. */
  protected async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#state = 'over';
    }
  }

  /** Takes the role and runs `work`; the handle is over afterwards. */
  protected runInRole<T>(work: () => Promise<T>): Promise<T> {
    return this.run(async () => {
      await this.#takeRole();
      return work();
    });
  }

  /** The same inside another scope, which is suspended meanwhile and has its role again afterwards. */
  protected async runInside<T>(outer: Scope, work: () => Promise<T>): Promise<T> {
    outer.#assertOpen();
    outer.#state = 'suspended';
    let result: T;
    try {
      result = await this.runInRole(work);
    } catch (error) {
      // An aborted transaction takes no statement but its rollback: then the outer handle is over as well.
      await outer.#resume().catch(() => undefined);
      throw error;
    }
    await outer.#resume();
    return result;
  }

  async #resume(): Promise<void> {
    if (this.#state === 'over') return;
    this.#state = 'over';
    await this.#takeRole();
    this.#state = 'open';
  }
}

/** The same transaction, with a check before each statement: of the builders, of plain SQL, of compiled statements. */
function guarded(transaction: Kysely<Tables>, assertOpen: () => void): Kysely<Tables> {
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
