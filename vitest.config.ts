import { defineConfig } from 'vitest/config';

const testsOf = (...folders: string[]) => folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`);

export default defineConfig({
  test: {
    environment: 'node',
    maxWorkers: 2,
    // The first test of a worker boots a database.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      // What uses a database is run twice: on the embedded one and on a PostgreSQL server.
      {
        extends: true,
        test: {
          name: 'database',
          include: testsOf('server', 'seeds'),
          globalSetup: ['server/src/testing/global-setup.ts'],
        },
      },
      { extends: true, test: { name: 'plain', include: testsOf('contract', 'web', 'checks') } },
    ],
  },
});
