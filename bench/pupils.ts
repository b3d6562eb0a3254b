import { leastList, type ListQuery } from './contenders.ts';
import { adminToken } from './database.ts';
import { load } from './load.ts';
import { atLeast, atMost, type Bench, type Figure, ms, percent, perSecond, times, told } from './measure.ts';
import { serveBare } from './processes.ts';
import { inTurns, median } from './rounds.ts';
import type { Statement } from './statements.ts';

const CONNECTIONS = 10;
const SORTS = ['name', 'username', 'group', 'last_read_at'] as const;

interface Variant {
  path: string;
  token: string;
  least: Statement;
}

/** Lists as people ask for them: schools, searches, orders and pages differ. */
function variants(schools: number, searches: readonly string[]): Variant[] {
  return Array.from({ length: 96 }, (_, n) => {
    const schoolId = 1 + ((n * 37) % schools);
    const search = searches[n % searches.length] ?? '';
    const query: ListQuery = {
      search,
      sort: SORTS[Math.floor(n / searches.length) % SORTS.length] ?? 'name',
      direction: n % 2 ? 'desc' : 'asc',
      page: 1 + (search.length < 2 ? n % 3 : 0),
    };
    return {
      path: `/v1/enterprises/${schoolId}/readers?search=${search}&sort[${query.sort}]=${query.direction}&page=${query.page}&per_page=50`,
      token: adminToken(schoolId),
      least: leastList(schoolId, query),
    };
  });
}

async function measureList(name: string, { world, portal, pace }: Bench, searches: string[]): Promise<Figure[]> {
  const asked = variants(world.schools, searches);
  const bare = await serveBare(
    world.url,
    asked.map(({ least }) => least),
  );
  let turn = 0;
  const nextVariant = () => asked[(turn += 1) % asked.length] as Variant;
  const rounds = await inTurns(pace, {
    portal: (seconds) =>
      load(portal, CONNECTIONS, seconds, () => {
        const { path, token } = nextVariant();
        return { path, headers: { authorization: `Bearer ${token}` } };
      }),
    bare: (seconds) => load(bare, CONNECTIONS, seconds, () => ({ path: `/${asked.indexOf(nextVariant())}` })),
  });
  await bare.stop();
  return [
    told(`${name}, sorted and paged`, perSecond(median(rounds.map((round) => round.portal.perSecond)))),
    told('The least SQL for it from a bare route', perSecond(median(rounds.map((round) => round.bare.perSecond)))),
    atLeast(
      `${name}: of the bare route`,
      median(rounds.map((round) => round.portal.perSecond / round.bare.perSecond)),
      0.6,
      percent,
    ),
    atMost(
      `${name}: processor time of the bare route's process`,
      median(rounds.map((round) => round.portal.processorTime / round.bare.processorTime)),
      1.6,
      times,
    ),
    atMost(`${name}, p99 at ${CONNECTIONS} connections`, median(rounds.map((round) => round.portal.p99)), 25, ms),
  ];
}

/** The pupils list with session, rights and school scope, against a bare route that sends the least SQL for the same rows. */
export const measurePupils = async (bench: Bench): Promise<Figure[]> => [
  ...(await measureList('Pupils list, searched', bench, ['a', 'ad', 'baker', 'jo', 'ma', 'en'])),
  ...(await measureList('Pupils list, not searched', bench, [''])),
];
