import { listPupils } from '#server/features/pupils/pupils.queries.ts';
import type { StaffSession } from '#server/http/pipeline.ts';
import { adminToken } from './database.ts';
import { load } from './load.ts';
import { atLeast, atMost, type Bench, type Figure, ms, percent, perSecond, told } from './measure.ts';
import { serveBare } from './processes.ts';
import { withHashSlot, median } from './rounds.ts';
import { type Statement, statementOf } from './statements.ts';

const CONNECTIONS = 10;
const SEARCHES = ['a', 'ad', 'baker', 'jo', 'ma', 'en'];
const SORTS = ['name', 'username', 'group', 'last_read_at'] as const;

interface Variant {
  path: string;
  token: string;
  statement: Statement;
}

/** Lists as people ask for them: schools, searches, orders and pages differ. */
async function variants(schools: number): Promise<Variant[]> {
  const all: Variant[] = [];
  for (let n = 0; n < 96; n += 1) {
    const schoolId = 1 + ((n * 37) % schools);
    const search = SEARCHES[n % SEARCHES.length] ?? '';
    const sort = SORTS[Math.floor(n / SEARCHES.length) % SORTS.length] ?? 'name';
    const direction = n % 2 ? 'desc' : 'asc';
    const page = 1 + (search === 'a' ? n % 3 : 0);
    const me = { kind: 'user', role: 'admin', userId: (schoolId - 1) * 8 + 1, schoolId } as StaffSession;
    all.push({
      path: `/v1/enterprises/${schoolId}/readers?search=${search}&sort[${sort}]=${direction}&page=${page}&per_page=50`,
      token: adminToken(schoolId),
      statement: await statementOf(schoolId, (db) =>
        listPupils(db, me, { search, groups: undefined, sort, direction, page, perPage: 50 }),
      ),
    });
  }
  return all;
}

/** The pupils list with session, rights and school scope, against a bare route that sends the same SQL. */
export async function measurePupils({ world, portal, pace }: Bench): Promise<Figure[]> {
  const asked = await variants(world.schools);
  const bare = await serveBare(
    world.url,
    asked.map(({ statement }) => statement),
  );
  let turn = 0;
  const nextVariant = () => asked[(turn += 1) % asked.length] as Variant;
  const rounds = await withHashSlot(pace, {
    portal: (seconds) =>
      load(portal.url, CONNECTIONS, seconds, () => {
        const { path, token } = nextVariant();
        return { path, headers: { authorization: `Bearer ${token}` } };
      }),
    bare: (seconds) => load(bare.url, CONNECTIONS, seconds, () => ({ path: `/${asked.indexOf(nextVariant())}` })),
  });
  await bare.stop();
  return [
    told(
      'Pupils list, searched, sorted and paged',
      perSecond(median(rounds.map(({ portal: { perSecond: value } }) => value))),
    ),
    told('The same SQL from a bare route', perSecond(median(rounds.map(({ bare: { perSecond: value } }) => value)))),
    atLeast(
      'Pupils list of the bare route',
      median(rounds.map((round) => round.portal.perSecond / round.bare.perSecond)),
      0.6,
      percent,
    ),
    atMost(`Pupils list, p99 at ${CONNECTIONS} connections`, median(rounds.map((round) => round.portal.p99)), 25, ms),
  ];
}
