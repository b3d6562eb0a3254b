import type { DatabaseConnection, Dialect, Driver } from 'kysely';

const driverErrors = new WeakSet<object>();

/** Returns whether the database driver raised an error: only these reveal the state of the database. */
export const isDriverError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && driverErrors.has(error);

/** Runs driver work and marks any error that it raises. */
export async function markDriverErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (typeof error === 'object' && error !== null) driverErrors.add(error);
    throw error;
  }
}

/** Wraps a dialect so that its driver marks the errors that it raises. */
export const markingDialect = (dialect: Dialect): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createDriver: () => markingDriver(dialect.createDriver()),
});

function markingDriver(driver: Driver): Driver {
  // The driver lends the same connection object repeatedly.
  const marking = new WeakSet<DatabaseConnection>();
  const acquireConnection = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await markDriverErrors(() => acquireConnection(options));
    if (!marking.has(connection)) {
      marking.add(connection);
      const executeQuery = connection.executeQuery.bind(connection);
      connection.executeQuery = (...args) => markDriverErrors(() => executeQuery(...args));
    }
    return connection;
  };
  // The embedded engine's driver opens the database and begins a transaction without `executeQuery`.
  const init = driver.init.bind(driver);
  const beginTransaction = driver.beginTransaction.bind(driver);
  driver.init = (...args) => markDriverErrors(() => init(...args));
  driver.beginTransaction = (...args) => markDriverErrors(() => beginTransaction(...args));
  return driver;
}
