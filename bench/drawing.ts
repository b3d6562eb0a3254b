import { adminToken } from './database.ts';
import { load, probe } from './load.ts';
import { atMost, type Bench, type Figure, ms, perSecond, times, told } from './measure.ts';
import { inTurns, median, quantile } from './rounds.ts';

/** The session of a portal without TLS. */
const COOKIE = 'session';
const PAGES = { Dashboard: '/', Pupils: '/pupils', Class: '/classes/2' };
const CONNECTIONS = 4;
/** Lists a second beside the drawing: few enough to leave the processor to the pages. */
const LISTS = 20;

const drawnPage = (path: string) => ({ path, headers: { cookie: `${COOKIE}=${adminToken(1)}` } });

async function askList(url: string): Promise<void> {
  const answer = await fetch(`${url}/v1/enterprises/1/readers?per_page=50`, {
    headers: { authorization: `Bearer ${adminToken(1)}` },
  });
  if (!answer.ok) throw new Error(`The list answered ${answer.status}.`);
  await answer.arrayBuffer();
}

/** Pages drawn for an admin: how many, what each costs, and what the list of pupils feels of them. */
export async function measureDrawing({ portal, pace }: Bench): Promise<Figure[]> {
  const { path: pupils, headers } = drawnPage(PAGES.Pupils);
  const page = await (await fetch(portal.url + pupils, { headers })).text();
  if (!page.includes('href="/pupils/')) throw new Error('The pupils page comes without rows.');
  const figures: Figure[] = [];
  let most = 0;
  for (const [name, path] of Object.entries(PAGES)) {
    const rounds = await inTurns(pace, {
      portal: (seconds) => load(portal, CONNECTIONS, seconds, () => drawnPage(path)),
    });
    const pages = median(rounds.map((round) => round.portal.perSecond));
    if (path === PAGES.Pupils) most = pages;
    figures.push(
      told(`${name} page drawn`, perSecond(pages)),
      told(`${name} page: processor time`, ms(median(rounds.map((round) => round.portal.processorTime)))),
    );
  }
  const drawAtHalf = (seconds: number) =>
    probe(most / 2, seconds, async () => {
      await (await fetch(portal.url + pupils, { headers })).arrayBuffer();
    });
  const rounds = await inTurns(pace, {
    alone: (seconds) => probe(LISTS, seconds, () => askList(portal.url)),
    beside: async (seconds) => {
      const [lists] = await Promise.all([probe(LISTS, seconds, () => askList(portal.url)), drawAtHalf(seconds)]);
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
    told('Pupils list, p99 while pages are drawn at half of what can be', ms(p99('beside'))),
    atMost('Slower while pages are drawn', p99('beside') / p99('alone'), 1.5, times),
  ];
}
