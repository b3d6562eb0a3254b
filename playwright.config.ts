import { defineConfig } from '@playwright/test';

/** With CPU_THROTTLE=8 the browser computes eight times slower, as on an old tablet. */
const patience = Number(process.env.CPU_THROTTLE ?? 1) > 1 ? 4 : 1;

/** These have a portal that no other journey uses, and wait: first, so that at the end no worker is without work. */
const OWN_PORTAL = [
  'changed-demo.spec.ts',
  'first-start.spec.ts',
  'long-names.spec.ts',
  'real-mail.spec.ts',
  'school-records-connection.spec.ts',
  'sign-in-providers.spec.ts',
];

/** The server is started by the journeys' own fixture; the web app must be built (`npm test` does that). */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  globalSetup: './e2e/global-setup.ts',
  workers: 2,
  fullyParallel: true,
  retries: 0,
  // A small machine that runs the portal, its database and the browser; nothing waits longer than it takes.
  timeout: 360_000 * patience,
  expect: { timeout: 45_000 * patience },
  projects: [
    { name: 'own portal', testMatch: OWN_PORTAL },
    { name: 'one portal', testIgnore: OWN_PORTAL },
    // Journeys that open the library, a menu or a chart, on a tablet: no hover, and larger targets.
    { name: 'touch', grep: /@touch/, use: { hasTouch: true, viewport: { width: 768, height: 1024 } } },
  ],
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        // A page lives for seconds: code that is optimised for longer costs more than it saves.
        '--js-flags=--no-opt --no-maglev',
        // A browser under test has no business with its maker's servers.
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
