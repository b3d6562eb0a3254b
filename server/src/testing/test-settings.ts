/**
 * Every setting that tests, journeys and benches change from its default, with the reason. `npm run check` prints the
 * list, and fails when another file changes a setting (checks/test-settings.ts).
 */
import type { SettingName } from '../settings.ts';

/** The values of a setting in all server tests and in all journeys. Absent: the default. */
export interface SharedSetting {
  setting: SettingName;
  tests?: string;
  journeys?: string;
  reason: string;
}

/** Settings that only these files change. */
export interface OwnSettings {
  settings: readonly SettingName[] | 'all';
  files: readonly string[];
  reason: string;
}

export const sharedSettings: readonly SharedSetting[] = [
  {
    setting: 'STAGE',
    tests: 'local',
    journeys: 'local',
    reason: 'HASH_COST=least needs it. It also makes an undeclared reply of the API an error.',
  },
  {
    setting: 'HASH_COST',
    tests: 'least',
    journeys: 'least',
    reason: 'Tests make thousands of accounts, and a hash of full cost is slow by design.',
  },
  {
    setting: 'MAX_EVENT_LOOP_DELAY',
    tests: '0',
    journeys: '0',
    reason: 'Tests share the processors, so a delay is not a failure of the portal.',
  },
  {
    setting: 'LOG_LEVEL',
    tests: 'silent',
    journeys: 'error',
    reason: 'Tests cause errors on purpose, which would hide the output of the test runner.',
  },
  {
    setting: 'DRAIN_SECONDS',
    tests: '0',
    journeys: '0',
    reason: 'No proxy is in front of them, so a portal that a test stops has nothing to wait for.',
  },
  {
    setting: 'SECRETS_KEY',
    tests: 'a-key-for-tests-of-more-than-32-characters',
    reason: 'Tests have no data folder, where the portal would store a key of its own.',
  },
];

const readSettings = (user: 'tests' | 'journeys'): Record<string, string> =>
  Object.fromEntries(
    sharedSettings.flatMap((shared) => (shared[user] === undefined ? [] : [[shared.setting, shared[user]]])),
  );

/** The settings of the portal in every server test. */
export const testSettings = readSettings('tests');

/** The settings of the portal in every journey, and while the pictures of the help are taken. */
export const journeySettings = readSettings('journeys');

export const ownSettings: readonly OwnSettings[] = [
  {
    settings: ['PORT', 'PUBLIC_URL', 'DATA_DIR', 'DATABASE_URL'],
    files: [
      'e2e/server.ts',
      'e2e/first-start.spec.ts',
      'server/src/main.test.ts',
      'server/src/testing/portal-process.ts',
      'server/src/commands/commands.test.ts',
      'server/src/backups/move.test.ts',
      'server/src/database/private-folder.test.ts',
      'bench/compare-builds.ts',
      'bench/builds/list-under-load.ts',
      'bench/harness/portal.ts',
      'bench/questions/first-start.ts',
      'bench/chaos/main.ts',
      'bench/upgrade/main.ts',
      'server/src/backups/restore-test.test.ts',
    ],
    reason: 'Several portals run at the same time, each with its own port, folder and database.',
  },
  {
    settings: ['DEMO'],
    files: ['e2e/server.ts', 'server/src/testing/portal-process.ts', 'bench/chaos/main.ts'],
    reason: 'Journeys and chaos use the demonstration schools on a database server. A newcomer’s journey has none.',
  },
  {
    settings: ['SMTP_URL'],
    files: ['e2e/server.ts', 'e2e/real-mail.spec.ts', 'bench/chaos/main.ts'],
    reason: 'No mail leaves the machine: journeys read the outbox folder, the others run a mail server.',
  },
  {
    settings: ['STAGE'],
    files: ['server/src/backups/move.test.ts', 'bench/chaos/main.ts', 'bench/upgrade/main.ts'],
    reason:
      'A portal or command in production also needs PUBLIC_URL and SECRETS_KEY, and allows no superuser and no private network.',
  },
  {
    settings: ['OIDC_PRIVATE_NETWORK', 'OIDC_PROVIDERS'],
    files: [
      'server/src/testing/sign-in-provider.ts',
      'server/src/testing/connected-school.ts',
      'server/src/http/examples.test.ts',
      'e2e/school-records-connection.spec.ts',
    ],
    reason: 'Sign-in providers and servers of school records run on this machine.',
  },
  {
    settings: ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET', 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
    files: [
      'server/src/features/accounts/sign-in-providers/sign-in-providers.test.ts',
      'server/src/features/company/operators/operators.test.ts',
      'server/src/http/examples.test.ts',
    ],
    reason: 'Subject of the test: logging in with Microsoft and Google.',
  },
  {
    settings: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_API_URL'],
    files: ['server/src/testing/fake-stripe.ts'],
    reason: 'Subject of the test: payments by card.',
  },
  {
    settings: ['DRAIN_SECONDS'],
    files: ['server/src/main.test.ts', 'bench/harness/portal.ts', 'bench/builds/list-under-load.ts'],
    reason: 'Subject of the test: requests between the signal to stop and the end. Benches have no proxy in front.',
  },
  {
    settings: ['PORT', 'METRICS_PORT', 'HOST', 'DATA_DIR'],
    files: ['server/src/failed-start.test.ts', 'seeds/simulate.test.ts'],
    reason: 'Subject of the test: starts that fail, and how the simulation finds a portal.',
  },
  {
    settings: ['DATABASE_URL'],
    files: ['server/src/http/shed-load.test.ts'],
    reason: 'Subject of the test: the limit of waiting requests, which a database server does not have.',
  },
  {
    settings: ['MAX_EVENT_LOOP_DELAY'],
    files: ['server/src/http/slow-clients.test.ts'],
    reason: 'Subject of the test: requests while the event loop is delayed.',
  },
  {
    settings: ['MAX_EVENT_LOOP_DELAY'],
    files: ['bench/compare-builds.ts', 'bench/builds/list-under-load.ts', 'bench/upgrade/main.ts'],
    reason: 'Two portals and other programs share the processors, and a rejected request would spoil a round.',
  },
  {
    settings: ['STAGE', 'HASH_COST'],
    files: ['server/src/http/unknown-parameters.test.ts', 'server/src/auth/password-hashing.test.ts'],
    reason: 'Subject of the test: production, and the full cost of a hash.',
  },
  {
    settings: ['LOG_LEVEL'],
    files: [
      'server/src/http/logs.test.ts',
      'server/src/http/load-warnings.test.ts',
      'server/src/http/unknown-parameters.test.ts',
      'server/src/features/billing/card-payments/card-payments.test.ts',
      'server/src/features/privacy/erasure/erased-names.test.ts',
    ],
    reason: 'Subject of the test: what is logged.',
  },
  {
    settings: ['LOG_LEVEL'],
    files: ['bench/chaos/main.ts'],
    reason: 'The injected faults would fill the log.',
  },
  {
    settings: ['SECRETS_KEY'],
    files: [
      'server/src/commands/commands.test.ts',
      'server/src/failed-start.test.ts',
      'server/src/features/records/pupil-import/match-digests.test.ts',
    ],
    reason: 'Subject of the test: a change of the key.',
  },
  {
    settings: ['SECRETS_KEY'],
    files: ['bench/harness/portal.ts', 'bench/upgrade/main.ts'],
    reason: 'Benches run in production, where a portal on a database server needs a key.',
  },
  {
    settings: ['TRUST_PROXY'],
    files: [
      'server/src/pages/pages.test.ts',
      'server/src/pages/documents.test.ts',
      'server/src/http/trusted-proxy.test.ts',
      'bench/harness/portal.ts',
      'bench/upgrade/main.ts',
    ],
    reason: 'Subject of the test: addresses behind a proxy. Benches send requests of many addresses.',
  },
  {
    settings: ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_PREPARED_STATEMENTS'],
    files: ['server/src/database/pooler.test.ts', 'server/src/commands/restore-into.test.ts'],
    reason: 'Subject of the test: a connection pooler.',
  },
  {
    settings: ['PUBLIC_URL'],
    files: [
      'server/src/features/accounts/access/owner.test.ts',
      'server/src/features/accounts/access/owner-stories.test.ts',
      'server/src/auth/session-cookie.test.ts',
      'server/src/auth/session-of-browser.test.ts',
      'server/src/features/accounts/access/password-reset.test.ts',
      'server/src/features/accounts/devices/devices.test.ts',
      'server/src/features/accounts/devices/known-device.test.ts',
      'server/src/features/reading/weekly-digest/weekly-digest.test.ts',
      'server/src/features/accounts/second-factor/factor-policy.test.ts',
      'server/src/features/company/operators/support-session.test.ts',
      'server/src/features/accounts/second-factor/first-factor.test.ts',
      'server/src/features/accounts/second-factor/second-factor.test.ts',
      'server/src/features/accounts/sign-in-providers/provider-only.test.ts',
      'server/src/features/accounts/sign-in-providers/sign-in-providers.test.ts',
      'server/src/features/school/teachers/invites.test.ts',
    ],
    reason: 'Subject of the test: links, cookies and passkeys, which depend on the address.',
  },
  {
    settings: ['DATABASE_URL', 'SECRETS_KEY'],
    files: ['server/src/backups/off-site.test.ts'],
    reason: 'Subject of the test: secrets that BACKUP_HOOK must not receive.',
  },
  {
    settings: ['DATABASE_URL', 'DATA_DIR', 'BACKUP_DIR'],
    files: [
      'server/src/commands/after-restore.test.ts',
      'server/src/commands/restore-into.test.ts',
      'server/src/failed-start.test.ts',
    ],
    reason: 'Subject of the test: restored databases, and the records beside the backups.',
  },
  {
    settings: ['DATA_DIR', 'BACKUP_DIR', 'BACKUP_DAYS'],
    files: [
      'server/src/backups/last-numbers.test.ts',
      'server/src/backups/nightly-backup.test.ts',
      'server/src/audit/audit-alarms.test.ts',
      'server/src/pages/recent-assets.test.ts',
      'server/src/watchdog.test.ts',
      'server/src/features/privacy/erasure/reapply-erasures.test.ts',
      'server/src/features/books/book-content/content.test.ts',
      'server/src/features/books/catalogue/catalogue-import.test.ts',
      'server/src/features/privacy/erasure/erased-names.test.ts',
      'server/src/features/privacy/erasure/erasure-receipts.test.ts',
      'server/src/features/privacy/erasure/former-staff.test.ts',
      'server/src/features/privacy/school-closing/school-closing.test.ts',
    ],
    reason: 'Subject of the test: files in the data folder, and backups.',
  },
  {
    settings: ['HIDE_ACCOUNTS'],
    files: [
      'server/src/features/accounts/access/hidden-accounts.test.ts',
      'server/src/features/accounts/access/password-reset.test.ts',
      'server/src/features/accounts/access/requested-resets.test.ts',
      'server/src/mail/mail-turns.test.ts',
      'server/src/mail/priority-mail.test.ts',
    ],
    reason: 'Subject of the test: replies that do not reveal which accounts exist.',
  },
  {
    settings: ['NEW_STATISTICS', 'PRODUCT_NAME'],
    files: [
      'server/src/features/reading/dashboard/comparison.test.ts',
      'server/src/features/reading/dashboard/summary.test.ts',
      'server/src/features/reading/reading-needs/reading-needs.test.ts',
      'server/src/features/school/school/new-statistics.test.ts',
      'e2e/admin.spec.ts',
    ],
    reason: 'Subject of the test: a portal with limited statistics, and its name.',
  },
  {
    settings: ['CONTACT_EMAIL', 'SUPPORT_EMAIL', 'SUPPORT_PHONE', 'ENQUIRY_FORM_URL'],
    files: [
      'server/src/features/help/help/contact-requests.test.ts',
      'server/src/features/help/help/help.test.ts',
      'server/src/features/billing/invoices/payment-reports.test.ts',
      'server/src/features/billing/card-payments/unmatched-payments.test.ts',
      'e2e/help.spec.ts',
    ],
    reason: 'Subject of the test: messages to the company.',
  },
  {
    settings: ['CONTACT_EMAIL'],
    files: ['bench/upgrade/main.ts'],
    reason: 'Production needs it.',
  },
  {
    settings: ['PUBLIC_URL', 'CONTACT_EMAIL'],
    files: ['e2e/mails.spec.ts'],
    reason: 'Addresses in mails as real schools see them. No portal is started.',
  },
  {
    settings: ['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_VAT_NUMBER', 'BANK_ACCOUNT'],
    files: ['server/src/features/billing/invoices/invoices.test.ts'],
    reason: 'Subject of the test: the seller on an invoice.',
  },
  {
    settings: ['READER_APP_URL', 'READER_APP_NAME'],
    files: ['server/src/features/school/login-cards/login-cards.test.ts'],
    reason: 'Subject of the test: the reading app on login cards.',
  },
  {
    settings: ['SERVER_RENDERING'],
    files: ['bench/questions/pupils-page.ts', 'e2e/server-rendering.spec.ts'],
    reason: 'Their subject: pages with and without server rendering.',
  },
  {
    settings: ['STAGE', 'SELLER_NAME'],
    files: ['checks/as-portal.test.ts'],
    reason: 'Subject of the test: how deploy/as-portal reads settings. No portal is started.',
  },
  {
    settings: 'all',
    files: [
      'server/src/config.test.ts',
      'server/src/setting-checks/setting-rules.test.ts',
      'server/src/setting-checks/check-database.test.ts',
    ],
    reason: 'Subject of the test: the settings.',
  },
];
