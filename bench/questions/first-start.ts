import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHART_NAMES } from '#contract/calls/charts.ts';
import { openEmbedded } from '#server/database/embedded.ts';
import { vacuum } from '#server/database/table-statistics.ts';
import { atMost, type Figure, info, ms, times } from '../harness/figures.ts';
import { freePort } from '../harness/postgres.ts';
import { median } from '../harness/rounds.ts';
import { serve, type ServerProcess } from '../harness/server-process.ts';

const TEACHER = { email: 'teacher@willowbank.example', password: 'reading-1' };

/** Milliseconds; the status of the answer is counted in `failed` if the server could not answer. */
interface Dashboard {
  /** Median of each call alone, the slowest first. */
  alone: [path: string, milliseconds: number][];
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
  const alone = new Map<string, number[]>(paths.map((path) => [path, []]));
  const together: number[] = [];
  const guest: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const path of paths) alone.get(path)!.push(await time(path));
    const start = performance.now();
    const all = Promise.all(paths.map(time));
    guest.push(await time('/login'));
    await all;
    together.push(performance.now() - start);
  }
  return {
    alone: [...alone].map(([path, values]) => [path, median(values)] as [string, number]).sort((a, b) => b[1] - a[1]),
    together: median(together),
    guest: median(guest),
    failed,
  };
}

/** How fast is a teacher's dashboard right after the first start, compared with a database that has been analysed whole? */
export async function measureFirstStart(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-first-start-'));
  // Only the folder is set: everything else is as a newcomer has it.
  const open = async () => serve('bench/harness/portal.ts', await freePort(), '/v1/health', { DATA_DIR: folder });
  const measure = async () => {
    const portal = await open();
    try {
      return await measureDashboard(portal, rounds);
    } finally {
      await portal.stop();
    }
  };
  try {
    const first = await measure();
    const database = await openEmbedded(folder);
    await vacuum(database.kysely);
    await database.close();
    const analysed = await measure();
    const [slowest, milliseconds] = first.alone[0]!;
    return [
      info(
        `First start: slowest call of a teacher's dashboard, ${slowest.split('?')[0]!.split('/').at(-1)}`,
        ms(milliseconds),
      ),
      info('First start: all calls of the dashboard together', ms(first.together)),
      atMost('First start: the same, of the database analysed whole', first.together / analysed.together, 1.5, times),
      info('First start: the login form for a guest meanwhile', ms(first.guest)),
      atMost('First start: calls that were not answered', first.failed, 0, String),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
