import { createHash } from 'node:crypto';
import pg from 'pg';
import { singleRead } from './single-read.ts';

/** Statements kept prepared a connection; what comes after them is planned each time. */
const PREPARED_STATEMENTS = 500;
const names = new Map<string, string>();

/** Longer texts are inserts of many rows, each of another length: keeping them would push out what recurs. */
const LONGEST_PREPARED = 6000;

/** The name that a statement is prepared under; none for those that are not worth keeping. */
export function statementName(text: string): string | undefined {
  if (text.length > LONGEST_PREPARED) return undefined;
  const known = names.get(text);
  if (known || names.size >= PREPARED_STATEMENTS) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  names.set(text, name);
  return name;
}

/** Begins a transaction that reads with a single statement: it ends together with that statement. */
export const READS_ONCE = 'start transaction read only';

const begins = (text: string) => text === 'begin' || text === READS_ONCE;
const canWait = (text: string) => begins(text) || text.startsWith('set local ');
const ends = (text: string) => text === 'commit' || text === 'rollback';

type Answer = pg.QueryResult;

const nothing = (text: string): Answer => ({ command: text.toUpperCase(), rows: [], rowCount: 0, fields: [], oid: 0 });

/**
 * A connection that prepares what it is asked repeatedly, and saves round trips: `begin` and the
 * `set local` after it wait for the first real statement and travel with it. Where they fail the
 * transaction is aborted, so that PostgreSQL refuses the statement behind them. In a transaction that
 * reads once all of it is one message, the `commit` included, and a second statement is refused.
 */
export class PipeliningClient extends pg.Client {
  #waiting: string[] = [];
  #isOver = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The pool listens to idle connections only. One that is lost in the middle of a transaction fails its next
    // statement; without a listener it would end the process.
    this.on('error', () => undefined);
  }

  // Kysely asks with a text and values and awaits a promise; that form alone is used here.
  override query(...args: unknown[]): never {
    const [text, values] = args as [unknown, unknown[] | undefined];
    if (typeof text !== 'string' || args.some((argument) => typeof argument === 'function'))
      return super.query(...(args as [string])) as never;
    return this.#ask(text, values ?? []) as never;
  }

  async #ask(text: string, values: unknown[]): Promise<Answer> {
    if (this.#isOver) {
      if (!ends(text)) throw new Error('A transaction that reads once takes one statement.');
      this.#isOver = false;
      return nothing(text);
    }
    if (values.length === 0 && canWait(text)) {
      if (begins(text)) this.#waiting = [];
      this.#waiting.push(text);
      return nothing(text);
    }
    if (this.#waiting.length > 0) {
      const opening = this.#waiting;
      this.#waiting = [];
      if (begins(opening[0] ?? '') && ends(text)) return nothing(text);
      // What waits to be undone need not be done; in a failed transaction it could not.
      if (text === 'rollback') return this.#send(text, values);
      if (opening[0] === READS_ONCE) return this.#readOnce(opening, text, values);
      const { stream } = this.connection;
      stream.cork();
      const sent = [super.query(opening.join('; ')), this.#send(text, values)];
      stream.uncork();
      return (await Promise.all(sent))[1] as Answer;
    }
    return this.#send(text, values);
  }

  async #readOnce(opening: readonly string[], text: string, values: unknown[]): Promise<Answer> {
    const answer = await new Promise<Answer>((resolve, reject) => {
      const done = (error: Error | null, found: Answer) => (error ? reject(error) : resolve(found));
      super.query(singleRead({ text, values, name: statementName(text) }, opening, done));
    });
    this.#isOver = true;
    return answer;
  }

  #send(text: string, values: unknown[]): Promise<Answer> {
    return values.length > 0 ? super.query({ text, values, name: statementName(text) }) : super.query(text);
  }
}
