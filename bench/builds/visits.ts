import { logIn, measureScripts, openBrowser, visit } from '../harness/browser.ts';
import { inTurns } from '../harness/rounds.ts';
import { type Build, type Builds, type Comparison, DEMO_STAFF } from './comparison.ts';

/** The path of each page, an element of its main content, and whether its blocked time has a target. */
const PAGES = {
  Dashboard: { path: '/', content: 'main h2', hasBlockedTarget: true },
  Pupils: { path: '/pupils', content: 'tbody a[href*="/pupils/"]', hasBlockedTarget: true },
  Class: { path: '/classes/2', content: 'tbody a[href*="/pupils/"]', hasBlockedTarget: true },
  Library: { path: '/classes/2/books', content: 'main li[data-book]', hasBlockedTarget: false },
};
/** Pages of visitors who have not logged in. The invoice does not exist, which needs no other scripts. */
const GUEST_PAGES = ['/login', '/register', '/forgotten', '/terms', '/invoices/missing'];

const MAX_SCRIPT_KB = 160;
const MAX_GUEST_SCRIPT_KB = 40;
const MAX_BLOCKED_RATIO = 0.5;

/** How soon does each build show and hydrate its pages on a slow processor and connection, and how large are its scripts? */
export async function compareVisits(builds: Builds, rounds: number): Promise<Comparison[]> {
  const browser = await openBrowser();
  const start = async ({ url }: Build) => {
    const guest = await browser.newContext();
    const scripts = new Map<string, number>();
    for (const path of GUEST_PAGES) scripts.set(path, await measureScripts(guest, url + path));
    const context = await browser.newContext();
    await logIn(context, url, DEMO_STAFF);
    const visitAll = async () => {
      const visits = new Map<string, Awaited<ReturnType<typeof visit>>>();
      for (const [name, { path, content }] of Object.entries(PAGES))
        for (const cache of ['cold', 'warm'])
          visits.set(`${name}, ${cache}`, await visit(context, url + path, content, cache === 'cold'));
      return visits;
    };
    return { scripts, visitAll };
  };
  const [other, own] = [await start(builds.other), await start(builds.own)];
  const medianOf = await inTurns({ rounds, seconds: 0 }, { other: other.visitAll, own: own.visitAll });
  await browser.close();

  const ofPage = (page: string, figure: 'rows' | 'blocked' | 'shift' | 'hydrated' | 'script') => ({
    other: medianOf((round) => round.other.get(page)?.[figure] ?? NaN),
    own: medianOf((round) => round.own.get(page)?.[figure] ?? NaN),
  });
  const kilobytes = ({ other: before, own: now }: { other: number; own: number }) => ({
    other: before / 1000,
    own: now / 1000,
    unit: 'kB' as const,
  });
  return [
    ...Object.keys(PAGES).map((name) => ({
      what: `${name}: script of the first page`,
      ...kilobytes(ofPage(`${name}, cold`, 'script')),
      limit: { own: MAX_SCRIPT_KB },
    })),
    ...GUEST_PAGES.map((path) => ({
      what: `${path}: script`,
      ...kilobytes({ other: other.scripts.get(path) ?? NaN, own: own.scripts.get(path) ?? NaN }),
      limit: { own: MAX_GUEST_SCRIPT_KB },
    })),
    ...Object.entries(PAGES).flatMap(([name, { hasBlockedTarget }]) =>
      ['cold', 'warm'].flatMap((cache): Comparison[] => {
        const page = `${name}, ${cache}`;
        return [
          {
            what: `${page}: main thread blocked`,
            ...ofPage(page, 'blocked'),
            unit: 'ms',
            ...(hasBlockedTarget && { limit: { ratio: MAX_BLOCKED_RATIO } }),
          },
          { what: `${page}: rows visible`, ...ofPage(page, 'rows'), unit: 'ms', limit: { ratio: 1 } },
          { what: `${page}: hydrated`, ...ofPage(page, 'hydrated'), unit: 'ms' },
          { what: `${page}: layout shift`, ...ofPage(page, 'shift'), unit: '', limit: { own: 0 } },
        ];
      }),
    ),
  ];
}
