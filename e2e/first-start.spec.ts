import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { settingNames } from '#server/settings.ts';
import { expect, fillLogin, people, test } from './portal.ts';
import { freePort, listening } from './server.ts';

// The product as a newcomer starts it: no setting differs from its default but the port and an empty folder.

let url: string;
let folder: string;
let product: ChildProcess;
let output = '';

test.beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  folder = mkdtempSync(join(tmpdir(), 'portal-first-start-'));
  const given = Object.entries(process.env).filter(([name]) => !(settingNames as string[]).includes(name));
  product = spawn('npm', ['start'], {
    cwd: resolve(import.meta.dirname, '..'),
    env: { ...Object.fromEntries(given), PORT: String(port), DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  for (const stream of [product.stdout, product.stderr]) stream?.on('data', (text) => (output += String(text)));
  await listening(product);
});

test.afterAll(async () => {
  const ended = once(product, 'exit');
  process.kill(-product.pid!, 'SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

const PATHS = ['/', '/pupils', '/classes/2', '/pupils/29', '/classes', '/classes/2/books', '/?class=2', '/account'];

/** Logs in with the form, opens ten pages and returns the requests that the server did not answer. */
async function lookAround(browser: Browser, email: string): Promise<string[]> {
  const context = await browser.newContext();
  const failures: string[] = [];
  context.on('response', (response) => {
    if (response.status() >= 500) failures.push(`${response.status()} ${response.url()}`);
  });
  const page = await context.newPage();
  await fillLogin(page, email, url);
  for (const path of [...PATHS, '/school', '/']) await openPage(page, path);
  await context.close();
  return failures;
}

async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(`${url}${path}`);
  await expect(page.getByRole('banner')).toBeVisible();
  // The charts and rows have arrived, too.
  await page.waitForLoadState('networkidle');
}

test('right after the first start three people log in at once and open ten pages each, and every request is answered', async ({
  browser,
}) => {
  const failures = await Promise.all(
    [people.admin, people.teacher, people.otherAdmin].map((email) => lookAround(browser, email)),
  );
  expect(failures.flat()).toEqual([]);
  const logged = output.split('\n').filter((line) => line.startsWith('{'));
  expect(logged, 'lines of the log above info').toEqual([]);
});
