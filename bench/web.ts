import type { Browser, BrowserContext, Page } from '@playwright/test';
import { logIn, openBrowser, openSlowPage } from './browser.ts';
import { atMost, type Bench, type Figure, inSeconds, times, told } from './measure.ts';
import { servePortal } from './processes.ts';
import { median } from './rounds.ts';

const ROUNDS = 7;
/** A row of a pupil; the rows that stand in while the list loads have no link. */
const ROW = 'tbody a[href*="/pupils/"]';

const kilobytes = (value: number): string => `${value.toFixed(0)} kB`;

/** A visit in seconds since its begin. */
interface Visit {
  /** The first rows are visible. */
  rows: number;
  /** React has taken the rows over: what the page's scripts do works. */
  scripted: number;
  /** Scripts loaded until then, in kB. */
  script: number;
}

/** React has an element: it was taken over, or drawn by the browser. */
const isScripted = (element: object | null): boolean =>
  element !== null && Object.keys(element).some((key) => key.startsWith('__reactFiber$'));

async function showRows(page: Page, url: string): Promise<number> {
  const start = performance.now();
  await page.goto(`${url}/pupils`, { waitUntil: 'commit' });
  await page.locator(ROW).first().waitFor({ state: 'visible' });
  return start;
}

const since = (start: number): number => (performance.now() - start) / 1000;

async function visit(context: BrowserContext, url: string, isCold: boolean): Promise<Visit> {
  const { page, cdp } = await openSlowPage(context, isCold);
  const scripts = new Set<string>();
  let bytes = 0;
  cdp.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  const start = await showRows(page, url);
  const there = since(start);
  // Rows are there, and have room, before the style sheet lets the browser show anything.
  const shown = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
  );
  const rows = Math.max(there, ((await shown.jsonValue()) ?? 0) / 1000);
  await page.waitForFunction(isScripted, await page.locator(ROW).first().elementHandle());
  const scripted = since(start);
  await page.close();
  return { rows, scripted, script: bytes / 1000 };
}

/** Seconds from the begin of a cold visit to rows in another order, asked for as soon as rows are visible. */
async function sortAtOnce(context: BrowserContext, url: string): Promise<number> {
  const { page } = await openSlowPage(context, true);
  const start = await showRows(page, url);
  const first = await page.locator(ROW).first().textContent();
  await page.getByRole('link', { name: 'Name', exact: true }).click({ noWaitAfter: true });
  await page
    .locator(ROW)
    .first()
    .filter({ hasNotText: first ?? '' })
    .waitFor();
  const sorted = since(start);
  await page.close();
  return sorted;
}

async function oneRound(browser: Browser, url: string) {
  const context = await browser.newContext();
  try {
    await logIn(context, url);
    const cold = await visit(context, url, true);
    const warm = await visit(context, url, false);
    return { cold, warm, sorted: await sortAtOnce(context, url) };
  } finally {
    await context.close();
  }
}

type Round = Awaited<ReturnType<typeof oneRound>>;

/** The pupils page in a slow browser on a slow line, drawn by the server and, in turns, by the browser. */
export async function measureWeb({ world, portal }: Bench): Promise<Figure[]> {
  const undrawn = await servePortal(world.url, { DRAW_PAGES: 'off' });
  const browser = await openBrowser();
  try {
    const drawn: Round[] = [];
    const without: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      drawn.push(await oneRound(browser, portal.url));
      without.push(await oneRound(browser, undrawn.url));
    }
    const of = (rounds: Round[], figure: (round: Round) => number) => median(rounds.map(figure));
    const pair = (
      what: string,
      figure: (round: Round) => number,
      most: number | undefined,
      share: number,
    ): Figure[] => {
      const [is, browsers] = [of(drawn, figure), of(without, figure)];
      return [
        most === undefined ? told(what, inSeconds(is)) : atMost(what, is, most, inSeconds),
        told(`${what}, drawn by the browser`, inSeconds(browsers)),
        atMost(`${what}: of the browser's`, is / browsers, share, times),
      ];
    };
    return [
      atMost(
        'Script up to a working pupils page',
        of(drawn, ({ cold }) => cold.script),
        200,
        kilobytes,
      ),
      ...pair('Pupils page: rows visible, cold', ({ cold }) => cold.rows, 1.2, 0.5),
      ...pair('Pupils page: rows visible, warm', ({ warm }) => warm.rows, 0.75, 0.6),
      ...pair('Pupils page: scripts at work, cold', ({ cold }) => cold.scripted, undefined, 1),
      ...pair('Pupils page: scripts at work, warm', ({ warm }) => warm.scripted, undefined, 1),
      ...pair('Pupils page: sorted as soon as rows are visible, cold', ({ sorted }) => sorted, undefined, 1),
    ];
  } finally {
    await browser.close();
    await undrawn.stop();
  }
}
