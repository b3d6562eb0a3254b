import type { Browser, BrowserContext, Page } from '@playwright/test';
import { logIn, openBrowser, openSlowPage } from '../harness/browser.ts';
import { atMost, type Bench, type Figure, inSeconds, times, info } from '../harness/figures.ts';
import { servePortal } from '../harness/server-process.ts';
import { median } from '../harness/rounds.ts';

const ROUNDS = 7;
/** A pupil's row. Placeholder rows have no link. */
const ROW = 'tbody a[href*="/pupils/"]';

const kilobytes = (value: number): string => `${value.toFixed(0)} kB`;

/** A visit, in seconds since its start. */
interface Visit {
  /** When the first rows are visible. */
  rows: number;
  /** When React has hydrated the rows, so that scripts work. */
  hydrated: number;
  /** The size of the scripts loaded until then, in kB. */
  script: number;
}

/** Whether React has hydrated or rendered an element. */
const isHydrated = (element: object | null): boolean =>
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
  const attached = since(start);
  // Rows have a size before the style sheet lets the browser paint.
  const shown = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
  );
  const rows = Math.max(attached, ((await shown.jsonValue()) ?? 0) / 1000);
  await page.waitForFunction(isHydrated, await page.locator(ROW).first().elementHandle());
  const hydrated = since(start);
  await page.close();
  return { rows, hydrated, script: bytes / 1000 };
}

/** Seconds from the start of a cold visit to sorted rows, if the user sorts as soon as rows are visible. */
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

/** How fast is the pupils page in a slow browser, rendered on the server and, in turns, in the browser? */
export async function measurePupilsPage({ environment, portal }: Bench): Promise<Figure[]> {
  const browserPortal = await servePortal(environment.url, { SERVER_RENDERING: 'off' });
  const browser = await openBrowser();
  try {
    const serverRounds: Round[] = [];
    const browserRounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      serverRounds.push(await oneRound(browser, portal.url));
      browserRounds.push(await oneRound(browser, browserPortal.url));
    }
    const medianOf = (rounds: Round[], figure: (round: Round) => number) => median(rounds.map(figure));
    const pair = (
      what: string,
      figure: (round: Round) => number,
      limit: number | undefined,
      share: number,
    ): Figure[] => {
      const [is, browsers] = [medianOf(serverRounds, figure), medianOf(browserRounds, figure)];
      return [
        limit === undefined ? info(what, inSeconds(is)) : atMost(what, is, limit, inSeconds),
        info(`${what}, rendered in the browser`, inSeconds(browsers)),
        atMost(`${what}: of rendering in the browser`, is / browsers, share, times),
      ];
    };
    return [
      atMost(
        'Script until the pupils page is hydrated',
        medianOf(serverRounds, ({ cold }) => cold.script),
        200,
        kilobytes,
      ),
      ...pair('Pupils page: rows visible, cold', ({ cold }) => cold.rows, 1.2, 0.5),
      ...pair('Pupils page: rows visible, warm', ({ warm }) => warm.rows, 0.75, 0.6),
      ...pair('Pupils page: hydrated, cold', ({ cold }) => cold.hydrated, undefined, 1),
      ...pair('Pupils page: hydrated, warm', ({ warm }) => warm.hydrated, undefined, 1),
      ...pair('Pupils page: sorted as soon as rows are visible, cold', ({ sorted }) => sorted, undefined, 1),
    ];
  } finally {
    await browser.close();
    await browserPortal.stop();
  }
}
