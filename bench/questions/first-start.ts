import { CHART_NAMES } from '#contract/calls/charts.ts';
import { openEmbedded } from '#server/database/embedded.ts';
import { vacuum } from '#server/database/table-statistics.ts';
import { atMost, type Bench, type Figure, info, ms, times } from '../harness/figures.ts';
import { Portal, type ServerProcess } from '../harness/portal.ts';
import { freePort, makeFolder } from '../harness/program.ts';
import { median } from '../harness/rounds.ts';

const TEACHER = { email: 'teacher@willowbank.example', password: 'reading-1' };

/** Milliseconds. `failed` counts the calls that the server could not answer. */
interface Dashboard {
  /** Median of all calls at the same time. */
  together: number;
  /** Median of a guest's login form meanwhile. */
  guest: number;
  failed: number;
}

async function measureDashboard({ url }: ServerProcess, rounds: number): Promise<Dashboard> {
  const login = await fetch(`${url}/v1/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(TEACHER),
  });
  const { user, meta } = (await login.json()) as { user: { enterprise_id: number }; meta: { token: string } };
  const today = new Date().toISOString().slice(0, 10);
  const yearAgo = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10);
  const range = `start_date=${yearAgo}&end_date=${today}`;
  const school = `/v1/enterprises/${user.enterprise_id}`;
  const paths = [
    `${school}/needs`,
    `${school}/reading-line`,
    `/v1/charts/comparison?${range}`,
    ...CHART_NAMES.map((name) => `/v1/charts?name=${name}&${range}`),
  ];
  let failed = 0;
  const time = async (path: string): Promise<number> => {
    const start = performance.now();
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${meta.token}` } });
    await response.arrayBuffer();
    if (response.status >= 500) failed += 1;
    return performance.now() - start;
  };
  const together: number[] = [];
  const guest: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    const all = Promise.all(paths.map(time));
    guest.push(await time('/login'));
    await all;
    together.push(performance.now() - start);
  }
  return { together: median(together), guest: median(guest), failed };
}

/**
 * How fast is a teacher's dashboard right after the first start on the embedded database, compared with a database that
 * has been analysed whole?
 */
export async function measureFirstStart({ isSmall }: Bench): Promise<Figure[]> {
  const folder = makeFolder();
  const measure = async () => {
    // Everything that concerns the product is as a newcomer has it.
    const portal = await new Portal(await freePort(), { DATA_DIR: folder }).start();
    const dashboard = await measureDashboard(portal, isSmall ? 3 : 15);
    await portal.stop();
    return dashboard;
  };
  const first = await measure();
  const database = await openEmbedded(folder);
  await vacuum(database.kysely);
  await database.close();
  const analysed = await measure();
  return [
    info('First start: all calls of the dashboard together', ms(first.together)),
    atMost('First start: the same, of the database analysed whole', first.together / analysed.together, 1.5, times),
    info('First start: the login form for a guest meanwhile', ms(first.guest)),
    atMost('First start: calls that were not answered', first.failed, 0, String),
  ];
}
