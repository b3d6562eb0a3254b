import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext } from '@playwright/test';
import { logIn, openBrowserAt } from '../harness/browser.ts';
import { atLeast, atMost, type Bench, type Figure, times, info } from '../harness/figures.ts';
import { freePort } from '../harness/postgres.ts';
import { servePortal } from '../harness/server-process.ts';
import { median } from '../harness/rounds.ts';

/** Downloaded on demand, because nothing else needs its hundred packages. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const PAGES = { Dashboard: '/', Pupils: '/pupils', Class: '/classes/2' };
const ROUNDS = 5;
const TIMEOUT_MS = 180_000;
const LONG_TASK_MS = 50;
/** Records which style sheet the browser has: docs/decisions/first-paint.md */
const STYLE_COOKIE = 'style';

/** Times in milliseconds, layout shift without unit, scores from 0 to 100. */
interface Scores {
  firstContent: number;
  /** Lighthouse's total blocking time: what tasks after the first content take beyond 50 ms each. */
  blocked: number;
  /** The same from the start of the page. */
  blockedInAll: number;
  shift: number;
  accessibility: number;
  bestPractices: number;
}

interface Report {
  /** The URL of the browser at the end. */
  finalDisplayedUrl: string;
  audits: Record<
    'first-contentful-paint' | 'total-blocking-time' | 'cumulative-layout-shift',
    { numericValue: number }
  > & { 'long-tasks': { details: { items: { duration: number }[] } } };
  categories: Record<'accessibility' | 'best-practices', { score: number }>;
}

/** The browser that Lighthouse controls through a port. */
interface ControlledBrowser {
  context: BrowserContext;
  port: number;
}

/**
 * Runs Lighthouse's mobile preset on a page, with a session and an empty cache.
 * Throws if the browser was redirected, which happens without a session.
 */
async function runLighthouse({ context, port }: ControlledBrowser, url: string): Promise<Scores> {
  await context.clearCookies({ name: STYLE_COOKIE });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.clearBrowserCache');
  await page.close();
  const folder = mkdtempSync(join(tmpdir(), 'portal-lighthouse-'));
  const path = join(folder, 'report.json');
  try {
    const args = [
      '--yes',
      LIGHTHOUSE,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${path}`,
      '--only-categories=performance,accessibility,best-practices',
      `--port=${port}`,
      // A reset would delete the session.
      '--disable-storage-reset',
    ];
    const run = () => promisify(execFile)('npx', args, { timeout: TIMEOUT_MS });
    // Occasionally the browser does not record the start of the page, and Lighthouse has to run again.
    await run().catch((error: Error) => (error.message.includes('NO_NAVSTART') ? run() : Promise.reject(error)));
    const { finalDisplayedUrl, audits, categories } = JSON.parse(readFileSync(path, 'utf8')) as Report;
    if (finalDisplayedUrl !== url) throw new Error(`Lighthouse was redirected from ${url} to ${finalDisplayedUrl}.`);
    const tasks = audits['long-tasks'].details.items;
    return {
      firstContent: audits['first-contentful-paint'].numericValue,
      blockedInAll: tasks.reduce((sum, { duration }) => sum + Math.max(0, duration - LONG_TASK_MS), 0),
      blocked: audits['total-blocking-time'].numericValue,
      shift: audits['cumulative-layout-shift'].numericValue,
      accessibility: categories.accessibility.score * 100,
      bestPractices: categories['best-practices'].score * 100,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const wholeMs = (value: number): string => `${Math.round(value)} ms`;
const points = (value: number): string => value.toFixed(0);

/** How does Lighthouse rate the three most used screens, rendered on the server and, in turns, in the browser? */
export async function measureLighthouse({ environment, portal }: Bench): Promise<Figure[]> {
  const browserPortal = await servePortal(environment.url, { SERVER_RENDERING: 'off' });
  const figures: Figure[] = [];
  const port = await freePort();
  const context = await openBrowserAt(port, '--headless=new', '--disable-gpu');
  try {
    // Ports share the session cookie, but a browser that renders its pages also needs its own storage.
    for (const url of [portal.url, browserPortal.url]) await logIn(context, url);
    for (const [name, path] of Object.entries(PAGES)) {
      const serverScores: Scores[] = [];
      const browserScores: Scores[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        serverScores.push(await runLighthouse({ context, port }, portal.url + path));
        browserScores.push(await runLighthouse({ context, port }, browserPortal.url + path));
      }
      const medianOf = (rounds: Scores[], figure: keyof Scores) => median(rounds.map((one) => one[figure]));
      const [is, browsers] = [medianOf(serverScores, 'blocked'), medianOf(browserScores, 'blocked')];
      const both = (figure: 'firstContent' | 'blockedInAll') =>
        `${wholeMs(medianOf(serverScores, figure))}, ${wholeMs(medianOf(browserScores, figure))}`;
      figures.push(
        info(`${name}, first content: rendered on the server, and in the browser`, both('firstContent')),
        info(`${name}, blocked main thread from the start: the same two`, both('blockedInAll')),
        info(`${name}, blocked main thread from the first content`, wholeMs(is)),
        info(`${name}, the same rendered in the browser`, wholeMs(browsers)),
        atMost(`${name}, blocked main thread: of rendering in the browser`, is / browsers, 0.5, times),
        // Rounded as Lighthouse does.
        atMost(`${name}, layout shift`, Number(medianOf(serverScores, 'shift').toFixed(3)), 0, (value) =>
          value.toFixed(3),
        ),
        atLeast(`${name}, accessibility`, medianOf(serverScores, 'accessibility'), 100, points),
        atLeast(`${name}, best practices`, medianOf(serverScores, 'bestPractices'), 100, points),
      );
    }
  } finally {
    await context.close();
    await browserPortal.stop();
  }
  return figures;
}
