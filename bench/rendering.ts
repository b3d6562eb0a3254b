import { adminToken } from './database.ts';
import { load, probe } from './load.ts';
import { atMost, type Bench, type Figure, ms, perSecond, times, told } from './measure.ts';
import { inTurns, median, quantile } from './rounds.ts';

/** The session of a portal without TLS. */
const COOKIE = 'session';
const PAGES = { Dashboard: '/', Pupils: '/pupils', Class: '/classes/2' };
const CONNECTIONS = 4;
/** Lists a second beside the rendering: few enough to leave the processor to the pages. */
const LISTS = 20;

const pageRequest = (path: string) => ({ path, headers: { cookie: `${COOKIE}=${adminToken(1)}` } });

async function askList(url: string): Promise<void> {
  const answer = await fetch(`${url}/v1/enterprises/1/readers?per_page=50`, {
    headers: { authorization: `Bearer ${adminToken(1)}` },
  });
  if (!answer.ok) throw new Error(`The list answered ${answer.status}.`);
  await answer.arrayBuffer();
}

/** How many pages the server renders, what each costs, and how they slow down the list of pupils. */
export async function measureRendering({ portal, pace }: Bench): Promise<Figure[]> {
  const { path: pupils, headers } = pageRequest(PAGES.Pupils);
  const page = await (await fetch(portal.url + pupils, { headers })).text();
  if (!page.includes('href="/pupils/')) throw new Error('The pupils page comes without rows.');
  const figures: Figure[] = [];
  let most = 0;
  for (const [name, path] of Object.entries(PAGES)) {
    const rounds = await inTurns(pace, {
      portal: (seconds) => load(portal, CONNECTIONS, seconds, () => pageRequest(path)),
    });
    const pages = median(rounds.map((round) => round.portal.perSecond));
    if (path === PAGES.Pupils) most = pages;
    figures.push(
      told(`${name} page rendered`, perSecond(pages)),
      told(`${name} page: processor time`, ms(median(rounds.map((round) => round.portal.processorTime)))),
    );
  }
  const renderAtHalf = (seconds: number) =>
    probe(most / 2, seconds, async () => {
      await (await fetch(portal.url + pupils, { headers })).arrayBuffer();
    });
  const rounds = await inTurns(pace, {
    alone: (seconds) => probe(LISTS, seconds, () => askList(portal.url)),
    beside: async (seconds) => {
      const [lists] = await Promise.all([probe(LISTS, seconds, () => askList(portal.url)), renderAtHalf(seconds)]);
      return lists;
    },
  });
  const p99 = (of: 'alone' | 'beside') =>
    quantile(
      rounds.flatMap((round) => round[of]),
      0.99,
    );
  return [
    ...figures,
    told('Pupils list, p99 alone', ms(p99('alone'))),
    told('Pupils list, p99 while pages render at half of the capacity', ms(p99('beside'))),
    atMost('Pupils list, p99: slower while pages render', p99('beside') / p99('alone'), 3, times),
  ];
}
