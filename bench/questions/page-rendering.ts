import { adminToken } from '../harness/environment.ts';
import { load, probe } from '../harness/load.ts';
import { atMost, type Bench, type Figure, ms, perSecond, times, info } from '../harness/figures.ts';
import { inTurns, median, quantile } from '../harness/rounds.ts';

/** The name of the session cookie without TLS. */
const COOKIE = 'session';
const PAGES = { Dashboard: '/', Pupils: '/pupils', Class: '/classes/2' };
const CONNECTIONS = 4;
/** Few enough requests per second to leave the processor to the pages. */
const LISTS_PER_SECOND = 20;

const pageRequest = (path: string) => ({ path, headers: { cookie: `${COOKIE}=${adminToken(1)}` } });

async function getList(url: string): Promise<void> {
  const response = await fetch(`${url}/v1/enterprises/1/readers?per_page=50`, {
    headers: { authorization: `Bearer ${adminToken(1)}` },
  });
  if (!response.ok) throw new Error(`The list returned ${response.status}.`);
  await response.arrayBuffer();
}

/** How many pages per second does the server render, and how much do they slow down the pupils list? */
export async function measureRendering({ portal, pace }: Bench): Promise<Figure[]> {
  const { path: pupils, headers } = pageRequest(PAGES.Pupils);
  const page = await (await fetch(portal.url + pupils, { headers })).text();
  if (!page.includes('href="/pupils/')) throw new Error('The pupils page has no rows.');
  const figures: Figure[] = [];
  let maxPages = 0;
  for (const [name, path] of Object.entries(PAGES)) {
    const rounds = await inTurns(pace, {
      portal: (seconds) => load(portal, CONNECTIONS, seconds, () => pageRequest(path)),
    });
    const pages = median(rounds.map((round) => round.portal.perSecond));
    if (path === PAGES.Pupils) maxPages = pages;
    figures.push(
      info(`${name} page rendered`, perSecond(pages)),
      info(`${name} page: processor time`, ms(median(rounds.map((round) => round.portal.processorTime)))),
    );
  }
  const renderAtHalf = (seconds: number) =>
    probe(maxPages / 2, seconds, async () => {
      await (await fetch(portal.url + pupils, { headers })).arrayBuffer();
    });
  const rounds = await inTurns(pace, {
    alone: (seconds) => probe(LISTS_PER_SECOND, seconds, () => getList(portal.url)),
    rendering: async (seconds) => {
      const [lists] = await Promise.all([
        probe(LISTS_PER_SECOND, seconds, () => getList(portal.url)),
        renderAtHalf(seconds),
      ]);
      return lists;
    },
  });
  const p99 = (contender: 'alone' | 'rendering') =>
    quantile(
      rounds.flatMap((round) => round[contender]),
      0.99,
    );
  return [
    ...figures,
    info('Pupils list, p99 alone', ms(p99('alone'))),
    info('Pupils list, p99 while pages render at half capacity', ms(p99('rendering'))),
    atMost('Pupils list, p99: slower while pages render', p99('rendering') / p99('alone'), 3, times),
  ];
}
