import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { logIn, openBrowser, openSlowPage } from './browser.ts';
import { adminToken } from './database.ts';
import { load } from './load.ts';
import { atLeast, atMost, type Bench, type Figure, ms, percent, perSecond, inSeconds, told } from './measure.ts';
import { type Served, serveFiles } from './processes.ts';
import { inTurns, median } from './rounds.ts';

const CONNECTIONS = 10;
const ROUNDS = 7;
const SCREENS_SCROLLED = 60;
/** Runs in the browser: waits until some cover is loaded and in the window. */
const COVER_IS_SEEN = `new Promise((seen) => {
  const look = () => [...document.images].some((image) => image.src.includes('/covers/') && image.complete
    && image.naturalWidth > 0 && image.getBoundingClientRect().top < innerHeight)
    ? seen() : requestAnimationFrame(look);
  look();
})`;
/**
 * Runs in the browser: keeps of each frame over 50 ms how long it took to be seen, and how long the page's own work held it up, in
 * milliseconds. The rest is the browser drawing without a graphics card, on the two processors that serve the portal as well.
 */
const WATCH_FRAMES = `globalThis.longFrames = []; new PerformanceObserver((list) => longFrames.push(
  ...list.getEntries().map(({ duration, blockingDuration }) => ({ seen: duration, held: blockingDuration + 50 }))))
  .observe({ type: 'long-animation-frame' })`;
/** The statements that fill the catalogue; it stays full, for this is the last measure of a run. */
const fill = readFileSync(join(import.meta.dirname, 'library.sql'), 'utf8').split(/;\n/);
const SEARCHES = ['', '&search=otter', '&search=the%20lost', '&level_from=2&level_to=3', '&show=assigned', '&page=700'];

/** The library of a pupil with 50,000 titles: pages as the screen asks for them, filtered and not, near and far. */
async function measureLists({ world, portal, pace }: Bench): Promise<Figure[]> {
  const admin = new pg.Client({ connectionString: world.postgres.url('postgres', 'portal') });
  await admin.connect();
  for (const statement of fill) await admin.query(statement);
  await admin.end();
  let turn = 0;
  const next = () => {
    turn += 1;
    const schoolId = 1 + ((turn * 37) % world.schools);
    const pupilId = (schoolId - 1) * 400 + 1 + (turn % 400);
    const path = `/v1/enterprises/${schoolId}/readers/${pupilId}/books?per_page=60${SEARCHES[turn % SEARCHES.length]}`;
    return { path, headers: { authorization: `Bearer ${adminToken(schoolId)}` } };
  };
  // One after the other: a teacher's wait, not the machine's limit, which is told beside it.
  const alone = await inTurns(pace, { portal: (seconds) => load(portal, 1, seconds, next) });
  const many = await inTurns(pace, { portal: (seconds) => load(portal, CONNECTIONS, seconds, next) });
  return [
    atMost('Library of a pupil, 50,000 titles, p99', median(alone.map((round) => round.portal.p99)), 50, ms),
    told(
      `Library of a pupil, 50,000 titles, at ${CONNECTIONS} connections`,
      perSecond(median(many.map((round) => round.portal.perSecond))),
    ),
  ];
}

/** A cover resized before, against the same bytes from a static route with nothing else. */
async function measureCovers({ portal, pace }: Bench): Promise<Figure[]> {
  const headers = { authorization: `Bearer ${adminToken(1)}` };
  const list = await fetch(`${portal.url}/v1/enterprises/1/readers/1/books`, { headers });
  const { books } = (await list.json()) as { books: { cover_image: string }[] };
  const address = `${books[0]?.cover_image}&height=400`;
  const cover = Buffer.from(await (await fetch(portal.url + address)).arrayBuffer());
  const files: Served = await serveFiles({ 'cover.webp': cover });
  try {
    const rounds = await inTurns(pace, {
      portal: (seconds) => load(portal, CONNECTIONS, seconds, () => ({ path: address })),
      bare: (seconds) => load(files, CONNECTIONS, seconds, () => ({ path: '/cover.webp' })),
    });
    return [
      told('Covers from the cache', perSecond(median(rounds.map((round) => round.portal.perSecond)))),
      atLeast(
        'Covers from the cache: of a bare static route',
        median(rounds.map((round) => round.portal.perSecond / round.bare.perSecond)),
        0.8,
        percent,
      ),
    ];
  } finally {
    await files.stop();
  }
}

/** The screen: its first covers in a slow browser, and the longest frame while somebody scrolls through some screens. */
async function measureScreen({ portal }: Bench): Promise<Figure[]> {
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  const address = `${portal.url}/pupils/1/books`;
  try {
    await logIn(context, portal.url);
    const firstCover: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const { page } = await openSlowPage(context, true);
      const start = performance.now();
      await page.goto(address, { waitUntil: 'commit' });
      await page.evaluate(COVER_IS_SEEN);
      // The first has the covers made in their size.
      if (round > 0) firstCover.push((performance.now() - start) / 1000);
      await page.close();
    }
    const page = await context.newPage();
    await page.goto(address, { waitUntil: 'networkidle' });
    await page.evaluate(WATCH_FRAMES);
    await page.mouse.move(600, 500);
    for (let turn = 0; turn < SCREENS_SCROLLED; turn += 1) {
      await page.mouse.wheel(0, 700);
      await page.waitForTimeout(100);
    }
    await page.waitForLoadState('networkidle');
    const frames = await page.evaluate<{ seen: number; held: number }[]>('longFrames');
    const scrolled = `${SCREENS_SCROLLED} screens scrolled`;
    return [
      atMost('Library: first covers visible, cold', median(firstCover), 1.5, inSeconds),
      atMost(
        `Library: work in the longest frame, ${scrolled}`,
        Math.max(50, ...frames.map(({ held }) => held)),
        50,
        ms,
      ),
      told(`Library: longest frame, ${scrolled}`, ms(Math.max(50, ...frames.map(({ seen }) => seen)))),
    ];
  } finally {
    await browser.close();
  }
}

export const measureLibrary = async (bench: Bench): Promise<Figure[]> => [
  ...(await measureLists(bench)),
  ...(await measureCovers(bench)),
  ...(await measureScreen(bench)),
];
