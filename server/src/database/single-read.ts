import pg from 'pg';

/** The driver's connection, as far as it is used here; its types know an older form of it. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string }): void;
  execute(portal: object): void;
  close(statement: { type: 'S'; name: string }): void;
  sync(): void;
}

/** The driver's query, with the methods that its types leave out. */
interface Query {
  name: string | undefined;
  submit(wire: Wire): Error | null;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}

/** The statements around a read that a connection has prepared. */
const prepared = new WeakMap<Wire, Set<string>>();

const preparedOn = (wire: Wire): Set<string> => {
  const known = prepared.get(wire) ?? new Set();
  prepared.set(wire, known);
  return known;
};

/**
 * A statement with the transaction around it, for the driver to send. All of it travels together and is answered
 * together: PostgreSQL replies at a `Sync`, and here is one alone, behind the `commit`. After a failure the
 * transaction is left open, to be rolled back.
 * @param opening the statements before it
 */
export function singleRead(
  statement: pg.QueryConfig,
  opening: readonly string[],
  done: (error: Error | null, answer: pg.QueryResult) => void,
): pg.Query {
  const around = new Set<string>();
  const made = new pg.Query({ ...statement, queryMode: 'extended' } as pg.QueryConfig, undefined, done as never);
  const query = made as unknown as Query;
  const { submit, handleCommandComplete, handleReadyForQuery, handleError } = query;
  let completed = 0;

  const run = (wire: Wire, text: string) => {
    // What holds a value is another one each time.
    const name = text.includes("'") ? '' : text;
    if (name === '' || !preparedOn(wire).has(name)) {
      // After a failure it is not known whether the server has it: closing what is not there is no error.
      if (name !== '') wire.close({ type: 'S', name });
      wire.parse({ name, text });
      if (name !== '') around.add(name);
    }
    wire.bind({ statement: name });
    wire.execute({});
  };

  query.submit = (wire) => {
    wire.stream.cork();
    try {
      for (const text of opening) run(wire, text);
      const refused = submit.call(query, Object.create(wire, { sync: { value: () => undefined } }) as Wire);
      run(wire, 'commit');
      wire.sync();
      return refused;
    } finally {
      wire.stream.uncork();
    }
  };
  // Only the statement itself has a result.
  query.handleCommandComplete = (message, wire) => {
    if (completed === opening.length) handleCommandComplete.call(query, message, wire);
    completed += 1;
  };
  query.handleReadyForQuery = (wire) => {
    for (const text of around) preparedOn(wire).add(text);
    handleReadyForQuery.call(query, wire);
  };
  query.handleError = (error, wire) => {
    if (query.name) {
      delete wire.parsedStatements[query.name];
      wire.close({ type: 'S', name: query.name });
    }
    handleError.call(query, error, wire);
  };
  return made;
}
