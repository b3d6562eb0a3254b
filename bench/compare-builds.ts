import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContext } from '@playwright/test';
import { logIn, openBrowser, openSlowPage } from './harness/browser.ts';
import { freePort } from './harness/postgres.ts';
import { median } from './harness/rounds.ts';
import { serve, type ServerProcess } from './harness/server-process.ts';

/*
 * node bench/compare-builds.ts OTHER_TREE [--rounds 7]: compares the web app of this work tree with that of
 * another, in alternating rounds, on a slow processor and connection.
 * Each tree serves its own build with the demonstration schools, so both must be
 * installed and built: git worktree add OTHER_TREE COMMIT, then in it npm ci and npx vite build.
 */
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '7' } },
  allowPositionals: true,
});
const [otherTree] = positionals;
if (!otherTree) throw new Error('Name the work tree to compare with.');

const STAFF = { email: 'head@willowbank.example', password: 'reading-1' };
const LONG_TASK_MS = 50;
/** The path of each page, and an element of its main content. */
const PAGES = {
  Dashboard: { path: '/', content: 'main h2' },
  Class: { path: '/classes/2', content: 'tbody a[href*="/pupils/"]' },
  Pupils: { path: '/pupils', content: 'tbody a[href*="/pupils/"]' },
};

/** Times in milliseconds, layout shift without a unit. */
interface Visit {
  rows: number;
  blocked: number;
  shift: number;
}

/**
 * Records from the start of a page: long tasks, layout shifts, and the end of the first frame with an element. As text,
 * because benches are compiled without the DOM.
 */
const recorder = (content: string) => `
  const recorded = (globalThis.recorded = { rows: 0, blocked: 0, shift: 0 });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) recorded.blocked += Math.max(0, duration - ${LONG_TASK_MS});
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) recorded.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  // A page that blocks painting runs no animation frame.
  requestAnimationFrame(function look() {
    if (!document.querySelector(${JSON.stringify(content)})) return requestAnimationFrame(look);
    setTimeout(() => (recorded.rows = performance.now()));
  });
`;

async function visit(context: BrowserContext, url: string, content: string, isCold: boolean): Promise<Visit> {
  const { page } = await openSlowPage(context, isCold);
  await page.addInitScript({ content: `{${recorder(content)}}` });
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForLoadState('networkidle');
  await page.waitForFunction('globalThis.recorded.rows > 0');
  const recorded = await page.evaluate<Visit>('globalThis.recorded');
  await page.close();
  return recorded;
}

/** Serves the portal of a work tree with the demonstration schools, on an embedded database. */
async function serveTree(tree: string): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-compare-'));
  const settings = { DATA_DIR: folder, MAX_EVENT_LOOP_DELAY: '0' };
  const served = await serve('server/src/main.ts', await freePort(), '/v1/health', settings, tree);
  return {
    ...served,
    async stop() {
      await served.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const portals = [await serveTree(resolve(otherTree)), await serveTree(resolve(import.meta.dirname, '..'))];
const browser = await openBrowser();
const visits = new Map<string, [Visit[], Visit[]]>();
try {
  const contexts = await Promise.all(portals.map(() => browser.newContext()));
  for (const [index, context] of contexts.entries()) await logIn(context, portals[index]!.url, STAFF);
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const [name, { path, content }] of Object.entries(PAGES))
      for (const isCold of [true, false])
        for (const [index, context] of contexts.entries()) {
          const key = `${name}, ${isCold ? 'cold' : 'warm'}`;
          const both = visits.get(key) ?? [[], []];
          both[index]!.push(await visit(context, portals[index]!.url + path, content, isCold));
          visits.set(key, both);
        }
} finally {
  await browser.close();
  for (const portal of portals) await portal.stop();
}

const rowOf = (both: [Visit[], Visit[]], figure: keyof Visit, digits: number): string =>
  both.map((all) => median(all.map((one) => one[figure])).toFixed(digits)).join(' | ');
console.log('| Page | Rows visible, other | this (ms) | Blocked, other | this (ms) | Layout shift, other | this |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const [name, both] of visits)
  console.log(`| ${name} | ${rowOf(both, 'rows', 0)} | ${rowOf(both, 'blocked', 0)} | ${rowOf(both, 'shift', 3)} |`);
