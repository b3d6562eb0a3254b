import { adminToken } from '../harness/environment.ts';
import { load } from '../harness/load.ts';
import { atLeast, atMost, type Bench, type Figure, ms, percent, perSecond, times, info } from '../harness/figures.ts';
import { serveBare } from '../harness/server-process.ts';
import { inTurns, median } from '../harness/rounds.ts';
import type { Statement } from '../harness/statements.ts';

const CONNECTIONS = 10;
const SORTS = ['name', 'username', 'group', 'last_read_at'] as const;

const ORDERS = {
  name: { key: undefined, from: 'pupils p' },
  username: { key: 'p.username', from: 'pupils p' },
  group: { key: 's.name_key', from: 'pupils p left join classes s on s.school_id = $1 and s.id = p.class_id' },
  last_read_at: { key: 'p.last_read_at', from: 'pupils p' },
} as const;

interface ListQuery {
  search: string;
  sort: keyof typeof ORDERS;
  direction: 'asc' | 'desc';
  page: number;
}

/** The minimal SQL that finds the same 50 pupils with their classes and counts, without school scope or permissions. */
function minimalList(schoolId: number, { search, sort, direction, page }: ListQuery): Statement {
  const { key, from } = ORDERS[sort];
  const order = key
    ? `k ${direction} nulls ${sort === 'last_read_at' && direction === 'asc' ? 'first' : 'last'}, name_key, id`
    : `name_key ${direction}, id`;
  const values = [schoolId, 50, (page - 1) * 50];
  const pupils = `select p.id, p.name, p.username, p.class_id, p.last_read_at, p.name_key${key ? `, ${key} as k` : ''}
    from ${from} where p.school_id = $1`;
  const totalCount = '(select count(*) from pupils where school_id = $1)';
  const joined = (source: string, counts: string) => `
    select page.id, page.name, page.username, page.class_id, c.name as class_name, page.last_read_at, ${counts}
    from (select * from ${source} order by ${order} limit $2 offset $3) page
    left join classes c on c.school_id = $1 and c.id = page.class_id
    order by ${order.replace('k ', 'page.k ').replace('name_key', 'page.name_key').replace(/id$/, 'page.id')}`;
  if (search === '') return { text: joined(`(${pupils}) all_pupils`, `${totalCount} as total`), values };
  return {
    text: `with found as materialized (${pupils} and (p.name_key like $4 or p.username like $4))
      ${joined('found', `${totalCount} as total, (select count(*) from found) as filtered`)}`,
    values: [...values, `%${search}%`],
  };
}

interface Variant {
  path: string;
  token: string;
  least: Statement;
}

/** Typical requests, which differ in school, search, order and page. */
function buildVariants(schools: number, searches: readonly string[]): Variant[] {
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
      least: minimalList(schoolId, query),
    };
  });
}

async function measureList(name: string, { environment, portal, pace }: Bench, searches: string[]): Promise<Figure[]> {
  const variants = buildVariants(environment.schools, searches);
  const bare = await serveBare(
    environment.url,
    variants.map(({ least }) => least),
  );
  let turn = 0;
  const nextVariant = () => variants[(turn += 1) % variants.length] as Variant;
  const rounds = await inTurns(pace, {
    portal: (seconds) =>
      load(portal, CONNECTIONS, seconds, () => {
        const { path, token } = nextVariant();
        return { path, headers: { authorization: `Bearer ${token}` } };
      }),
    bare: (seconds) => load(bare, CONNECTIONS, seconds, () => ({ path: `/${variants.indexOf(nextVariant())}` })),
  });
  await bare.stop();
  return [
    info(`${name}, sorted and paged`, perSecond(median(rounds.map((round) => round.portal.perSecond)))),
    info('The minimal SQL for it from a bare route', perSecond(median(rounds.map((round) => round.bare.perSecond)))),
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

/** How fast is the pupils list, with session, permissions and school scope, compared with a bare route with the minimal SQL? */
export const measurePupils = async (bench: Bench): Promise<Figure[]> => [
  ...(await measureList('Pupils list, searched', bench, ['a', 'ad', 'baker', 'jo', 'ma', 'en'])),
  ...(await measureList('Pupils list, not searched', bench, [''])),
];
