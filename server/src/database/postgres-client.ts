import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';

/** The number of prepared statements per connection; further ones are planned each time. */
const MAX_PREPARED_STATEMENTS = 500;
const names = new Map<string, string>();

/** Inserts of more rows than this differ in length, so caching each would leave no room for statements that recur. */
const MAX_PREPARED_ROWS = 5;
const MAX_PREPARED_LENGTH = 6000;

/**
 * A write that joins other rows: on a cluster, a generic plan for it reaches every machine, and PostgreSQL tries one at
 * the sixth execution of a prepared statement.
 */
const JOINING_WRITE = /^\s*(?:update\s[^]*\sfrom\s|delete\s[^]*\susing\s)/i;

/** `select *`, `returning *`, `p.*`: their columns change with the table. */
const ALL_COLUMNS = /(?:select|returning|,)\s+(?:"?\w+"?\.)?\*/i;

/**
 * Whether a statement may be prepared. It must be worth caching, must not be a write that joins other rows, and must
 * name its columns: PostgreSQL rejects a prepared statement whose result changes, as that of `select *` would when the
 * next version, running beside this one, adds a column.
 */
export function isPreparable(text: string): boolean {
  if (text.length > MAX_PREPARED_LENGTH || ALL_COLUMNS.test(text) || JOINING_WRITE.test(text)) return false;
  return !text.startsWith('insert') || text.split('), (').length <= MAX_PREPARED_ROWS;
}

/** The name under which a statement is prepared; undefined if it is not prepared, or once there are too many. */
export function statementName(text: string): string | undefined {
  if (!isPreparable(text)) return undefined;
  const known = names.get(text);
  if (known || names.size >= MAX_PREPARED_STATEMENTS) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  names.set(text, name);
  return name;
}

/** Makes the rest of a transaction read-only. Both engines support it, unlike a mode of `begin`. */
export const READ_ONLY = 'set local transaction_read_only = on';

const canWait = (text: string) => text === 'begin' || text.startsWith('set local ');
const endsTransaction = (text: string) => text === 'commit' || text === 'rollback';

/** The SQLSTATE of each statement after a failed one. */
const TRANSACTION_ABORTED = '25P02';

type Answer = pg.QueryResult;

const emptyResult = (text: string): Answer => ({
  command: text.toUpperCase(),
  rows: [],
  rowCount: 0,
  fields: [],
  oid: 0,
});

/**
 * A connection that prepares recurring statements and saves round trips: `begin` and each `set local` are sent with the
 * next real statement. If they fail, the transaction is aborted and PostgreSQL rejects that statement. The end of a
 * read-only transaction is sent without waiting for the reply: it has nothing to lose, and the next statement on the
 * connection queues behind it.
 */
export class PipeliningClient extends pg.Client {
  #waiting: string[] = [];
  #isReading = false;
  /** The cause of the first failure in the transaction. */
  #lastFailure: unknown;

  readonly #preparesStatements: boolean;

  /** @param config.preparesStatements false where a pooler gives each transaction another connection */
  constructor(config?: string | (pg.ClientConfig & { preparesStatements?: boolean })) {
    super(config);
    this.#preparesStatements = typeof config !== 'object' || config.preparesStatements !== false;
    // The pool only listens to idle connections. One that is lost during a transaction fails its next statement;
    // without a listener it would end the process.
    this.on('error', () => undefined);
  }

  /** True while a reply of the server is due. */
  get isWaiting(): boolean {
    return !(this as unknown as { readyForQuery: boolean }).readyForQuery;
  }

  /** Closes the connection at once; pending statements fail. */
  giveUp(): void {
    this.connection.stream.destroy(new Error('Connection terminated: the database server does not answer.'));
  }

  /** Closes the connection if a reply has been due for too long, and returns whether it did. */
  watchSilence(milliseconds: number, onSilence: () => void): void {
    const stream = this.connection.stream as Socket;
    stream.setTimeout(milliseconds, () => {
      if (!this.isWaiting) return;
      this.giveUp();
      onSilence();
    });
  }

  // Kysely only uses the form with a text and values that returns a promise.
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
      return emptyResult(text);
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    // The setting lasts until the end of the transaction, so at its end it need not be sent.
    if (endsTransaction(text)) return waiting[0] === 'begin' ? emptyResult(text) : this.#end(text);
    if (waiting.length === 0) return this.#send(text, values);
    const { stream } = this.connection;
    stream.cork();
    let sent: Promise<Answer>[];
    try {
      // Each in its own message: a cluster would send a text that contains a SET to its workers as a whole.
      sent = [...waiting.map((setting) => this.#send(setting, [])), this.#send(text, values)];
    } finally {
      stream.uncork();
    }
    return (await Promise.all(sent)).at(-1) as Answer;
  }

  #end(text: string): Answer | Promise<Answer> {
    const answer = this.#send(text, []);
    if (!this.#isReading) return answer;
    // A connection that is lost now fails its next statement.
    answer.catch(() => undefined);
    return emptyResult(text);
  }

  async #send(text: string, values: unknown[]): Promise<Answer> {
    try {
      return await (values.length > 0
        ? super.query({ text, values, name: this.#preparesStatements ? statementName(text) : undefined })
        : super.query<Answer>(text));
    } catch (error) {
      // A statement sent together with a failed one only reports that the transaction is aborted.
      if ((error as pg.DatabaseError).code === TRANSACTION_ABORTED) throw this.#lastFailure ?? error;
      this.#lastFailure = error;
      throw error;
    }
  }
}

/**
 * Closes connections on which a reply has been due for so many milliseconds: the network path to the server is gone,
 * and the driver would wait for ever. Idle connections are closed too, because they used the same path.
 */
export function closeSilentConnections(pool: pg.Pool, milliseconds: number): void {
  const open = new Set<PipeliningClient>();
  pool.on('connect', (connected) => {
    const client = connected as unknown as PipeliningClient;
    open.add(client);
    client.once('end', () => open.delete(client));
    client.watchSilence(milliseconds, () => {
      for (const openClient of open) if (!openClient.isWaiting) openClient.giveUp();
    });
  });
}
