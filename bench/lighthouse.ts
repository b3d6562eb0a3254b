import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { adminToken } from './database.ts';
import { atLeast, atMost, type Bench, type Figure, times, told } from './measure.ts';
import { servePortal } from './processes.ts';
import { median } from './rounds.ts';

/** Fetched when asked for: nothing else of the project needs its hundred packages. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const PAGES = { Dashboard: '/', Pupils: '/pupils', Class: '/classes/2' };
const ROUNDS = 5;
const WITHIN_MS = 180_000;
const LONG_TASK_MS = 50;

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
  audits: Record<
    'first-contentful-paint' | 'total-blocking-time' | 'cumulative-layout-shift',
    { numericValue: number }
  > & { 'long-tasks': { details: { items: { duration: number }[] } } };
  categories: Record<'accessibility' | 'best-practices', { score: number }>;
}

/** Lighthouse's mobile preset on a page of the first school's admin. */
async function judge(url: string): Promise<Judgement> {
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
      `--extra-headers=${JSON.stringify({ Cookie: `session=${adminToken(1)}` })}`,
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
    ];
    const env = { ...process.env, CHROME_PATH: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' };
    const run = () => promisify(execFile)('npx', words, { env, timeout: WITHIN_MS });
    // Now and then the browser records no beginning of the page, and Lighthouse asks to be run again.
    await run().catch((error: Error) => (error.message.includes('NO_NAVSTART') ? run() : Promise.reject(error)));
    const { audits, categories } = JSON.parse(readFileSync(path, 'utf8')) as Report;
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
  try {
    for (const [name, path] of Object.entries(PAGES)) {
      const drawn: Judgement[] = [];
      const without: Judgement[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        drawn.push(await judge(portal.url + path));
        without.push(await judge(undrawn.url + path));
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
    await undrawn.stop();
  }
  return figures;
}
