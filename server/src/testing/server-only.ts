/*
 * Server tests that need PostgreSQL. `npm test -- --engine embedded` runs every other one. The lists may only shrink:
 * `checks/server-only.test.ts` compares them with the tests.
 */

/** Files that are left out without a server, with the reason. */
export const SERVER_ONLY_FILES: Readonly<Record<string, string>> = {
  'server/src/commands/after-restore.test.ts': 'Backups need a server.',
  'server/src/backups/backup-stream.test.ts': 'Backups need a server.',
  'server/src/backups/backup.test.ts': 'Backups need a server.',
  'server/src/backups/nightly-backup.test.ts': 'Backups need a server.',
  'server/src/backups/restore-test.test.ts': 'Backups need a server.',
  'server/src/backups/move.test.ts': 'A move ends on a server.',
  'server/src/database/older-schema.test.ts': 'Backups need a server.',
  'server/src/features/privacy/erasure/reapply-erasures.test.ts': 'Backups need a server.',
  'server/src/features/billing/billing-console/operators-at-once.test.ts':
    'Transactions at the same time: the embedded database has one connection.',
  'server/src/commands/restore-into.test.ts': 'Backups need a server.',
};

/** Files of which some tests need a server, with the reason. */
export const SERVER_ONLY_TESTS: Readonly<Record<string, string>> = {
  'server/src/audit/audit-rights.test.ts': 'An account that is no superuser.',
  'server/src/auth/sessions.test.ts': 'A transaction that waits for another one.',
  'server/src/commands/commands.test.ts':
    'Commands beside the test, which has the only connection to its embedded database.',
  'server/src/config.test.ts':
    'A command on the database of the test, whose only connection an embedded one would need.',
  'server/src/database/idle-role.test.ts': 'The role in which connections to a server start.',
  'server/src/database/online-migrations.test.ts': 'Transactions at the same time.',
  'server/src/database/pooler.test.ts': 'A pooler stands before a server.',
  'server/src/database/postgres-client.test.ts': 'The client of a server.',
  'server/src/database/query-plans.test.ts': 'Plans beside 50,000 pupils of other schools.',
  'server/src/database/released-version.test.ts': 'Two releases on one database at the same time.',
  'server/src/database/schema/schema.test.ts': 'An account that is no superuser.',
  'server/src/database/scope.test.ts': 'Transactions at the same time.',
  'server/src/failed-start.test.ts': 'Backups need a server.',
  'server/src/features/privacy/erasure/former-staff.test.ts': 'Transactions at the same time.',
  'server/src/features/privacy/school-closing/school-closing.test.ts': 'Transactions at the same time.',
  'server/src/features/accounts/second-factor/first-factor.test.ts': 'Transactions at the same time.',
  'server/src/features/accounts/sign-in-providers/sign-in-providers.test.ts': 'Transactions at the same time.',
  'server/src/http/database-unavailable.test.ts': 'A server that does not answer.',
  'server/src/pages/log-out.test.ts': 'Transactions at the same time.',
  'server/src/http/reads-beside-writes.test.ts': 'Transactions at the same time.',
  'server/src/main.test.ts': 'A portal beside the test, which has the only connection to its embedded database.',
  'server/src/setting-checks/check-database.test.ts': 'The account of a server.',
};
