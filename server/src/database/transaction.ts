import {
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutor,
  Transaction,
} from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Runs `work` in a transaction: all of it happens or nothing. Unlike in Kysely's own transactions, statements started
 * together (`Promise.all`) are sent together and cost one round trip.
 */
export const inTransaction = <T>(
  kysely: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> =>
  kysely.transaction().execute((transaction) => {
    const executor = transaction.getExecutor();
    return executor.provideConnection((connection) => work(onConnection(executor, connection)));
  });

/** A transaction never calls these methods. */
const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

/** Kysely's own provider lends a connection to one statement at a time. */
const onConnection = (executor: QueryExecutor, connection: DatabaseConnection): Transaction<Tables> =>
  new Transaction<Tables>({
    config: { dialect },
    dialect,
    driver: new DummyDriver(),
    executor: executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) }),
  });
