import { adminToken } from '../harness/environment.ts';
import { load } from '../harness/load.ts';
import { atLeast, atMost, type Bench, type Figure, ms, percent, perSecond, times, info } from '../harness/figures.ts';
import { serveBare } from '../harness/portal.ts';
import { inTurns } from '../harness/rounds.ts';
import type { Statement } from '../harness/statements.ts';

const CONNECTIONS = 10;
const SORTS = ['name', 'last_read_at'] as const;

interface ListQuery {
  search: string;
  sort: (typeof SORTS)[number];
  direction: 'asc' | 'desc';
  page: number;
}

/** The minimal SQL that finds the same 50 pupils with their classes and counts, without school scope or permissions. */
function minimalList(schoolId: number, { search, sort, direction, page }: ListQuery): Statement {
  const time = `last_read_at ${direction} nulls ${direction === 'asc' ? 'first' : 'last'}, name_key, id`;
  const order = sort === 'name' ? `name_key ${direction}, id` : time;
  const values = [schoolId, 50, (page - 1) * 50];
  const pupils = 'select id, name, username, class_id, last_read_at, name_key from pupils where school_id = $1';
  const list = (source: string, counts: string) => `
    select id, name, username, class_id, class_name, last_read_at,
      (select count(*) from pupils where school_id = $1) as total${counts}
    from (select * from ${source} order by ${order} limit $2 offset $3) page
      left join lateral (select c.name as class_name from classes c where c.school_id = $1 and c.id = class_id) c on true
    order by ${order}`;
  if (search === '') return { text: list(`(${pupils}) found`, ''), values };
  return {
    text: `with found as materialized (${pupils} and (name_key like $4 or username like $4))
      ${list('found', ', (select count(*) from found) as filtered')}`,
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
  const medianOf = await inTurns(pace, {
    portal: (seconds) =>
      load(portal, CONNECTIONS, seconds, () => {
        const { path, token } = nextVariant();
        return { path, headers: { authorization: `Bearer ${token}` } };
      }),
    bare: (seconds) => load(bare, CONNECTIONS, seconds, () => ({ path: `/${variants.indexOf(nextVariant())}` })),
  });
  await bare.stop();
  const rate = medianOf((round) => round.portal.perSecond / round.bare.perSecond);
  const time = medianOf((round) => round.portal.processorTime / round.bare.processorTime);
  return [
    info(`${name}, sorted and paged`, perSecond(medianOf((round) => round.portal.perSecond))),
    info('The minimal SQL for it from a bare route', perSecond(medianOf((round) => round.bare.perSecond))),
    atLeast(`${name}: of the bare route`, rate, 0.6, percent),
    atMost(`${name}: processor time of the bare route's process`, time, 1.6, times),
    atMost(
      `${name}, p99 at ${CONNECTIONS} connections`,
      medianOf((round) => round.portal.p99),
      25,
      ms,
    ),
  ];
}

/** How fast is the pupils list, with session, permissions and school scope, compared with a bare route with the minimal SQL? */
export const measurePupils = async (bench: Bench): Promise<Figure[]> => [
  ...(await measureList('Pupils list, searched', bench, ['a', 'ad', 'baker', 'jo', 'ma', 'en'])),
  ...(await measureList('Pupils list, not searched', bench, [''])),
];
