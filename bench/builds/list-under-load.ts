import { adminToken, openEnvironment } from '../harness/environment.ts';
import { type LoadRequest, openLoad } from '../harness/load.ts';
import { Portal, type ServerProcess } from '../harness/portal.ts';
import { freePort, makeFolder } from '../harness/program.ts';
import { inTurns, quantile } from '../harness/rounds.ts';
import type { Build, Builds, Comparison } from './comparison.ts';

const SCHOOLS = 20;
const SECONDS = 8;
const LISTS_PER_SECOND = 30;
const PAGES_PER_SECOND = 12;
const MAX_SLOWDOWN = 3;

/** Visits of the pupils page and calls of the pupils list, from the admins of all schools in turn. */
function createRequests(pagesPerSecond: number): () => LoadRequest {
  let count = 0;
  return () => {
    count += 1;
    const school = 1 + (count % SCHOOLS);
    if (Math.random() * (LISTS_PER_SECOND + pagesPerSecond) < pagesPerSecond)
      return {
        kind: 'page',
        path: '/pupils',
        mayBeBusy: true,
        headers: { cookie: `session=${adminToken(school)}`, accept: 'text/html', 'accept-encoding': 'br' },
      };
    const query = 'sort[name]=asc&page=1&per_page=50';
    const headers = { authorization: `Bearer ${adminToken(school)}` };
    return { kind: 'list', path: `/v1/enterprises/${school}/readers?${query}`, headers };
  };
}

async function p99OfList(portal: ServerProcess, pagesPerSecond: number, seconds: number): Promise<number> {
  const next = createRequests(pagesPerSecond);
  const { responses } = await openLoad([portal], LISTS_PER_SECOND + pagesPerSecond, seconds, next);
  const times = responses.filter(({ kind }) => kind === 'list').map(({ milliseconds }) => milliseconds);
  return quantile(times, 0.99);
}

/**
 * How much slower does each build answer the pupils list while it renders pages? On PostgreSQL, because the embedded
 * database would run on the same thread. Both trees use the same database, so their migrations must be equal.
 */
export async function compareListUnderLoad(builds: Builds, rounds: number): Promise<Comparison[]> {
  const environment = await openEnvironment(SCHOOLS, console.error);
  const serve = async ({ root }: Build): Promise<Portal> =>
    new Portal(
      await freePort(),
      { DATABASE_URL: environment.url, DATA_DIR: makeFolder(), DRAIN_SECONDS: '0', MAX_EVENT_LOOP_DELAY: '0' },
      { root },
    ).start();
  const [other, own] = [await serve(builds.other), await serve(builds.own)];
  const measure = (portal: Portal) => async (seconds: number) => ({
    alone: await p99OfList(portal, 0, seconds),
    withPages: await p99OfList(portal, PAGES_PER_SECOND, seconds),
  });
  const medianOf = await inTurns({ rounds, seconds: SECONDS }, { other: measure(other), own: measure(own) });
  await other.stop();
  await own.stop();
  await environment.postgres.stop();
  const slowdown = ({ alone, withPages }: { alone: number; withPages: number }) => withPages / alone;
  return [
    {
      what: 'Pupils list, p99 alone',
      other: medianOf((round) => round.other.alone),
      own: medianOf((round) => round.own.alone),
      unit: 'ms',
    },
    {
      what: `Pupils list, p99 while ${PAGES_PER_SECOND} pages a second render, of alone`,
      other: medianOf((round) => slowdown(round.other)),
      own: medianOf((round) => slowdown(round.own)),
      unit: 'times',
      limit: { own: MAX_SLOWDOWN },
    },
  ];
}
