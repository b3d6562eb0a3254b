import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext } from '@playwright/test';
import { logIn, openBrowserAt } from './browser.ts';
import { atLeast, atMost, type Bench, type Figure, times, told } from './measure.ts';
import { freePort } from './postgres.ts';
import { servePortal } from './processes.ts';
import { median } from './rounds.ts';

/** Fetched when asked for: nothing else of the project needs its hundred packages. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const PAGES = { Dashboard: '/', Pupils: '/pupils', Class: '/classes/2' };
const ROUNDS = 5;
const WITHIN_MS = 180_000;
const LONG_TASK_MS = 50;
/** Says which style sheet the browser has: docs/decisions/0075-the-style-sheet-in-the-first-page.md */
const STYLE_COOKIE = 'style';

/** Times in milliseconds, layout shift without unit, scores from 0 to 100. */
interface Judgement {
  firstContent: number;
  /** What tasks take beyond 50 ms each, from the first content on: Lighthouse's total blocking time. */
  blocked: number;
  /** The same from the beginning on. */
  blockedInAll: number;
  shift: number;
  accessibility: number;
  bestPractices: number;
}

interface Report {
  /** Where the browser was at the end. */
  finalDisplayedUrl: string;
  audits: Record<
    'first-contentful-paint' | 'total-blocking-time' | 'cumulative-layout-shift',
    { numericValue: number }
  > & { 'long-tasks': { details: { items: { duration: number }[] } } };
  categories: Record<'accessibility' | 'best-practices', { score: number }>;
}

/** The browser that Lighthouse looks through, and the port that it is spoken to at. */
interface Judge {
  context: BrowserContext;
  port: number;
}

/**
 * Lighthouse's mobile preset on a page, for somebody whose browser holds a session and nothing of the portal.
 * Throws when the browser ended up on another page, as one that is not logged in does.
 */
async function judge({ context, port }: Judge, url: string): Promise<Judgement> {
  await context.clearCookies({ name: STYLE_COOKIE });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.clearBrowserCache');
  await page.close();
  const folder = mkdtempSync(join(tmpdir(), 'portal-lighthouse-'));
  const path = join(folder, 'report.json');
  try {
    const words = [
      '--yes',
      LIGHTHOUSE,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${path}`,
      '--only-categories=performance,accessibility,best-practices',
      `--port=${port}`,
      // It would take the session away.
      '--disable-storage-reset',
    ];
    const run = () => promisify(execFile)('npx', words, { timeout: WITHIN_MS });
    // Now and then the browser records no beginning of the page, and Lighthouse asks to be run again.
    await run().catch((error: Error) => (error.message.includes('NO_NAVSTART') ? run() : Promise.reject(error)));
    const { finalDisplayedUrl, audits, categories } = JSON.parse(readFileSync(path, 'utf8')) as Report;
    if (finalDisplayedUrl !== url) throw new Error(`Lighthouse was to judge ${url} and saw ${finalDisplayedUrl}.`);
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

/** What Lighthouse says of the three screens of every day, drawn by the server and, in turns, by the browser. */
export async function measureLighthouse({ world, portal }: Bench): Promise<Figure[]> {
  const undrawn = await servePortal(world.url, { DRAW_PAGES: 'off' });
  const figures: Figure[] = [];
  const port = await freePort();
  const context = await openBrowserAt(port, '--headless=new', '--disable-gpu');
  try {
    // The session is in a cookie, which ports share; a browser that draws its pages knows of it from its storage.
    for (const url of [portal.url, undrawn.url]) await logIn(context, url);
    for (const [name, path] of Object.entries(PAGES)) {
      const drawn: Judgement[] = [];
      const without: Judgement[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        drawn.push(await judge({ context, port }, portal.url + path));
        without.push(await judge({ context, port }, undrawn.url + path));
      }
      const of = (rounds: Judgement[], figure: keyof Judgement) => median(rounds.map((one) => one[figure]));
      const [is, browsers] = [of(drawn, 'blocked'), of(without, 'blocked')];
      const both = (figure: 'firstContent' | 'blockedInAll') =>
        `${wholeMs(of(drawn, figure))}, ${wholeMs(of(without, figure))}`;
      figures.push(
        told(`${name}, first content: drawn by the server, and by the browser`, both('firstContent')),
        told(`${name}, blocked main thread from the beginning on: the same two`, both('blockedInAll')),
        told(`${name}, blocked main thread from the first content on`, wholeMs(is)),
        told(`${name}, the same drawn by the browser`, wholeMs(browsers)),
        atMost(`${name}, blocked main thread: of the browser's`, is / browsers, 0.5, times),
        // As Lighthouse shows it.
        atMost(`${name}, layout shift`, Number(of(drawn, 'shift').toFixed(3)), 0, (value) => value.toFixed(3)),
        atLeast(`${name}, accessibility`, of(drawn, 'accessibility'), 100, points),
        atLeast(`${name}, best practices`, of(drawn, 'bestPractices'), 100, points),
      );
    }
  } finally {
    await context.close();
    await undrawn.stop();
  }
  return figures;
}
