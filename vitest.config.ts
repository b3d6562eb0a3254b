import { defineConfig } from 'vitest/config';
import { SERVER_ONLY_FILES } from './server/src/testing/server-only.ts';
import { helpTexts } from './web/build/help-texts.ts';
import { WAIT_LIMIT_MS } from './web/src/testing/configure-testing-library.ts';

const testsOf = (...folders: string[]) => folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`);

/**
 * What `npm test` also runs on the embedded database, because it can differ there: the database and its handles, what the
 * pipeline stores in it, and jobs; and as a smoke test of each feature the example of each of its calls. Journeys make the
 * first start. The whole server suite runs there with `npm test -- --engine embedded`.
 */
const ENGINE_TESTS = [
  ...testsOf('server/src/database', 'server/src/jobs', 'server/src/mail'),
  'server/src/audit/audit-chain.test.ts',
  'server/src/auth/sessions.test.ts',
  'server/src/http/examples.test.ts',
  'server/src/http/idempotency.test.ts',
  'server/src/http/rate-limit.test.ts',
];

/**
 * What is the same on each: what the schema decides, the data folder and files beside the database, and tests of the
 * server's connections, which run there alone. `upgrade.test.ts` brings an embedded database up to date, `schema.test.ts`
 * compares the schemas, and `round-trip.test.ts` reads every type of column.
 */
const COMMON_TESTS = [
  'database/cluster/distribution',
  'database/embedded',
  'database/pooler',
  'database/postgres-client',
  'database/private-folder',
  'database/query-plans',
  'database/released-version',
  'database/secret-keys',
  'jobs/late-jobs',
  'mail/mail-turns',
].map((name) => `server/src/${name}.test.ts`);

const isEngineOnly = process.env.TEST_SELECTION === 'engine';
const serverOnly = process.env.TEST_DATABASE_URL ? [] : Object.keys(SERVER_ONLY_FILES);
const selection = {
  include: isEngineOnly ? ENGINE_TESTS : testsOf('server', 'seeds'),
  exclude: isEngineOnly ? [...COMMON_TESTS, ...serverOnly] : serverOnly,
};

export default defineConfig({
  test: {
    environment: 'node',
    maxWorkers: 2,
    // One module graph a worker; what a test needs of its own is a database, which `testApp()` makes.
    isolate: false,
    unstubGlobals: true,
    // Nothing here waits: a test that takes long is on a machine that has other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // `configure-testing-library.ts` sets the same for Testing Library.
    expect: { poll: { timeout: WAIT_LIMIT_MS } },
    slowTestThreshold: 5000,
    projects: [
      // On the server that TEST_DATABASE_URL names, or on the embedded database.
      {
        extends: true,
        test: {
          name: 'database',
          ...selection,
          globalSetup: ['server/src/testing/global-setup.ts'],
        },
      },
      // The texts of the help come from Markdown, as in the build.
      {
        extends: true,
        plugins: [helpTexts()],
        test: {
          name: 'plain',
          include: testsOf('contract', 'web', 'checks'),
          setupFiles: ['web/src/testing/configure-testing-library.ts', 'web/src/testing/start-page.ts'],
        },
      },
    ],
  },
});
