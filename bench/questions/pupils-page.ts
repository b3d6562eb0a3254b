import type { Browser, BrowserContext } from '@playwright/test';
import { logIn, openBrowser, openSlowPage, visit } from '../harness/browser.ts';
import { atMost, type Bench, type Figure, inSeconds, times, info } from '../harness/figures.ts';
import { servePortal } from '../harness/portal.ts';
import { median } from '../harness/rounds.ts';

const ROUNDS = 7;
/** A pupil's row. Placeholder rows have no link. */
const ROW = 'tbody a[href*="/pupils/"]';

const kilobytes = (value: number): string => `${value.toFixed(0)} kB`;

/** Milliseconds from the start of a cold visit to sorted rows, if the user sorts as soon as rows are visible. */
async function sortAtOnce(context: BrowserContext, url: string): Promise<number> {
  const page = await openSlowPage(context, true);
  const start = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  const row = page.locator(ROW).first();
  const first = await row.textContent();
  await page.getByRole('link', { name: 'Name', exact: true }).click({ noWaitAfter: true });
  await row.filter({ hasNotText: first ?? '' }).waitFor();
  const sorted = performance.now() - start;
  await page.close();
  return sorted;
}

async function oneRound(browser: Browser, url: string) {
  const context = await browser.newContext();
  try {
    await logIn(context, url);
    const cold = await visit(context, `${url}/pupils`, ROW, true);
    const warm = await visit(context, `${url}/pupils`, ROW, false);
    return { cold, warm, sorted: await sortAtOnce(context, `${url}/pupils`) };
  } finally {
    await context.close();
  }
}

type Visits = Awaited<ReturnType<typeof oneRound>>;

/** How fast is the pupils page in a slow browser, rendered on the server and, in turns, in the browser? */
export async function measurePupilsPage({ environment, portal, isSmall }: Bench): Promise<Figure[]> {
  const browserPortal = await servePortal(environment.url, { SERVER_RENDERING: 'off' });
  const browser = await openBrowser();
  const rounds: { server: Visits; browser: Visits }[] = [];
  for (let round = 0; round < (isSmall ? 1 : ROUNDS); round += 1)
    rounds.push({ server: await oneRound(browser, portal.url), browser: await oneRound(browser, browserPortal.url) });
  await browser.close();
  await browserPortal.stop();
  const pair = (what: string, figure: (visits: Visits) => number, limit: number | undefined, share: number) => {
    const is = median(rounds.map(({ server }) => figure(server))) / 1000;
    const rendered = median(rounds.map((round) => figure(round.browser))) / 1000;
    return [
      limit === undefined ? info(what, inSeconds(is)) : atMost(what, is, limit, inSeconds),
      info(`${what}, rendered in the browser`, inSeconds(rendered)),
      atMost(`${what}: of rendering in the browser`, is / rendered, share, times),
    ];
  };
  const script = median(rounds.map(({ server }) => server.cold.script)) / 1000;
  return [
    atMost('Script until the pupils page is hydrated', script, 160, kilobytes),
    ...pair('Pupils page: rows visible, cold', ({ cold }) => cold.rows, 1.2, 0.5),
    ...pair('Pupils page: rows visible, warm', ({ warm }) => warm.rows, 0.75, 0.6),
    ...pair('Pupils page: hydrated, cold', ({ cold }) => cold.hydrated, undefined, 1),
    ...pair('Pupils page: hydrated, warm', ({ warm }) => warm.hydrated, undefined, 1),
    ...pair('Pupils page: sorted as soon as rows are visible, cold', ({ sorted }) => sorted, undefined, 1),
  ];
}
