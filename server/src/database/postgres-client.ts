import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';

/** Statements kept prepared a connection; what comes after them is planned each time. */
const PREPARED_STATEMENTS = 500;
const names = new Map<string, string>();

/** Longer texts are inserts of many rows, each of another length: keeping them would push out what recurs. */
const LONGEST_PREPARED = 6000;

/** `select *`, `returning *`, `p.*`: what comes back changes with the table. */
const ALL_COLUMNS = /(?:select|returning|,)\s+(?:"?\w+"?\.)?\*/i;

/**
 * The name that a statement is prepared under; none for those that are not worth keeping, and none where a migration
 * of the next version, running beside this one, would change what a prepared statement answers, which PostgreSQL refuses.
 */
export function statementName(text: string): string | undefined {
  if (text.length > LONGEST_PREPARED || ALL_COLUMNS.test(text)) return undefined;
  const known = names.get(text);
  if (known || names.size >= PREPARED_STATEMENTS) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  names.set(text, name);
  return name;
}

/** Makes the rest of a transaction read-only. Both engines know it, unlike a mode of `begin`. */
export const READ_ONLY = 'set local transaction_read_only = on';

const canWait = (text: string) => text === 'begin' || text.startsWith('set local ');
const ends = (text: string) => text === 'commit' || text === 'rollback';

/** The SQLSTATE of each statement after the one that failed. */
const TRANSACTION_ABORTED = '25P02';

type Answer = pg.QueryResult;

const nothing = (text: string): Answer => ({ command: text.toUpperCase(), rows: [], rowCount: 0, fields: [], oid: 0 });

/**
 * A connection that prepares what it is asked repeatedly, and saves round trips: `begin` and each `set local`
 * wait for the next real statement and travel with it. Where they fail the transaction is aborted, so that
 * PostgreSQL refuses the statement behind them. The end of a read-only transaction is sent and not waited for:
 * it has nothing to lose, and what comes next on the connection queues behind it.
 */
export class PipeliningClient extends pg.Client {
  #waiting: string[] = [];
  #isReading = false;
  /** Why the last statement failed that could be carried out. */
  #lastFailure: unknown;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The pool listens to idle connections only. One that is lost in the middle of a transaction fails its next
    // statement; without a listener it would end the process.
    this.on('error', () => undefined);
  }

  /** True while an answer of the server is due. */
  get isWaiting(): boolean {
    return !(this as unknown as { readyForQuery: boolean }).readyForQuery;
  }

  /** Ends the connection at once; what waits for an answer fails. */
  giveUp(): void {
    this.connection.stream.destroy(new Error('Connection terminated: the database server is silent.'));
  }

  /** Gives the connection up when nothing came for so long although an answer is due, and tells it. */
  watchSilence(milliseconds: number, onSilence: () => void): void {
    const stream = this.connection.stream as Socket;
    stream.setTimeout(milliseconds, () => {
      if (!this.isWaiting) return;
      this.giveUp();
      onSilence();
    });
  }

  // Kysely asks with a text and values and awaits a promise; that form alone is used here.
  override query(...args: unknown[]): never {
    const [text, values] = args as [unknown, unknown[] | undefined];
    if (typeof text !== 'string' || args.some((argument) => typeof argument === 'function'))
      return super.query(...(args as [string])) as never;
    return this.#ask(text, values ?? []) as never;
  }

  async #ask(text: string, values: unknown[]): Promise<Answer> {
    if (values.length === 0 && canWait(text)) {
      if (text === 'begin') {
        this.#waiting = [];
        this.#isReading = false;
      } else if (text === READ_ONLY) this.#isReading = true;
      this.#waiting.push(text);
      return nothing(text);
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    // What was set holds until the end of the transaction: at its end it need not be sent.
    if (ends(text)) return waiting[0] === 'begin' ? nothing(text) : this.#end(text);
    if (waiting.length === 0) return this.#send(text, values);
    const { stream } = this.connection;
    stream.cork();
    let sent: Promise<Answer>[];
    try {
      // Each in a message of its own: a cluster sends a text with a SET in it to its workers whole.
      sent = [...waiting.map((setting) => this.#send(setting, [])), this.#send(text, values)];
    } finally {
      stream.uncork();
    }
    return (await Promise.all(sent)).at(-1) as Answer;
  }

  #end(text: string): Answer | Promise<Answer> {
    const answer = this.#send(text, []);
    if (!this.#isReading) return answer;
    // A connection that is lost now fails whatever is asked of it next.
    answer.catch(() => undefined);
    return nothing(text);
  }

  async #send(text: string, values: unknown[]): Promise<Answer> {
    try {
      return await (values.length > 0
        ? super.query({ text, values, name: statementName(text) })
        : super.query<Answer>(text));
    } catch (error) {
      // A statement sent together with one that failed says only that the transaction is aborted, and not why.
      if ((error as pg.DatabaseError).code === TRANSACTION_ABORTED) throw this.#lastFailure ?? error;
      this.#lastFailure = error;
      throw error;
    }
  }
}

/**
 * Gives up connections on which nothing came for so many milliseconds although an answer is due: the way to the server
 * is gone, and without a word from it the driver would wait for ever. Those that lie idle went the same way.
 */
export function giveUpSilent(pool: pg.Pool, milliseconds: number): void {
  const open = new Set<PipeliningClient>();
  pool.on('connect', (connected) => {
    const client = connected as unknown as PipeliningClient;
    open.add(client);
    client.once('end', () => open.delete(client));
    client.watchSilence(milliseconds, () => {
      for (const other of open) if (!other.isWaiting) other.giveUp();
    });
  });
}
