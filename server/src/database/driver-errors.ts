import type { DatabaseConnection, Dialect, Driver } from 'kysely';

const driverErrors = new WeakSet<object>();

/** True for an error that the database driver raised: the only ones that say anything about the database. */
export const isDriverError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && driverErrors.has(error);

/** Runs driver work and marks the error that it raises. */
export async function markDriverErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (typeof error === 'object' && error !== null) driverErrors.add(error);
    throw error;
  }
}

/** The same dialect, whose driver marks the errors that it raises. */
export const markingDialect = (dialect: Dialect): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createDriver: () => markingDriver(dialect.createDriver()),
});

function markingDriver(driver: Driver): Driver {
  // The driver returns the same object each time that it lends a connection.
  const marking = new WeakSet<DatabaseConnection>();
  const acquireConnection = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await markDriverErrors(() => acquireConnection(options));
    if (!marking.has(connection)) {
      marking.add(connection);
      const executeQuery = connection.executeQuery.bind(connection);
      connection.executeQuery = (query, ...rest) => markDriverErrors(() => executeQuery(query, ...rest));
    }
    return connection;
  };
  return driver;
}
