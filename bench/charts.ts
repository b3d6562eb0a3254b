import type { Chart } from '#contract/calls/charts.ts';
import { bucketsOf } from '#server/features/dashboard/buckets.service.ts';
import { listBucketTotals } from '#server/features/dashboard/charts.queries.ts';
import pg from 'pg';
import { adminToken, ask, type SimulationEnvironment } from './database.ts';
import { load } from './load.ts';
import { atLeast, atMost, type Bench, type Figure, ms, perSecond, times, told } from './measure.ts';
import { type Served, serveBare } from './processes.ts';
import { withHashSlot, median } from './rounds.ts';
import { type Statement, statementOf } from './statements.ts';

const CONNECTIONS = 4;
const TIME = 'group_reading_time_by_reading_level_over_time';
const ACCURACY = 'group_accuracy_by_reading_level_over_time';

/** What PostgreSQL makes of the sessions themselves: a school's year by month and level. */
const rawStatement = (schoolId: number, { from, to }: SimulationEnvironment): Statement => ({
  text: `select date_trunc('month', started_at at time zone 'Europe/London')::date::text as month, reading_level,
      sum(reading_time) as reading_time, sum(words_attempted) as words_attempted, sum(words_correct) as words_correct
    from reading_sessions
    where school_id = $1 and started_at >= $2::date::timestamp at time zone 'Europe/London'
      and started_at < ($3::date + 1)::timestamp at time zone 'Europe/London'
    group by 1, 2 order by 1, 2`,
  values: [schoolId, from, to],
});

const chartPath = (name: string, { from, to }: SimulationEnvironment): string =>
  `/v1/charts?name=${name}&start_date=${from}&end_date=${to}`;

async function getChart(portal: Served, world: SimulationEnvironment, schoolId: number, name: string): Promise<Chart> {
  const response = await fetch(portal.url + chartPath(name, world), {
    headers: { authorization: `Bearer ${adminToken(schoolId)}` },
  });
  return ((await response.json()) as { chart: Chart }).chart;
}

/** How many values of a school's charts differ from what the sessions themselves add up to. */
export async function countDifferences(
  portal: Served,
  world: SimulationEnvironment,
  schoolId: number,
): Promise<{ values: number; differences: number }> {
  const { text, values } = rawStatement(schoolId, world);
  const rows = await ask<Record<string, string>>(world.url, text, [...values]);
  const expected = new Map<string, { time: number; attempted: number; correct: number }>();
  for (const row of rows)
    for (const level of [String(row.reading_level), 'null'])
      for (const month of [row.month, 'all']) {
        const sum = expected.get(`${month} ${level}`) ?? { time: 0, attempted: 0, correct: 0 };
        sum.time += Number(row.reading_time);
        sum.attempted += Number(row.words_attempted);
        sum.correct += Number(row.words_correct);
        expected.set(`${month} ${level}`, sum);
      }
  const time = await getChart(portal, world, schoolId, TIME);
  const accuracy = await getChart(portal, world, schoolId, ACCURACY);
  let checked = 2;
  const all = expected.get('all null');
  let differences =
    Number(time.total !== (all?.time ?? 0)) +
    Number(accuracy.average !== (all ? (all.correct / all.attempted) * 100 : null));
  for (const chart of [time, accuracy])
    for (const { level, data } of chart.series)
      data.forEach((value, place) => {
        const sum = expected.get(`${chart.labels[place]} ${level}`);
        const right = chart === time ? (sum?.time ?? 0) : sum ? (sum.correct / sum.attempted) * 100 : null;
        checked += 1;
        if (value !== right) differences += 1;
      });
  return { values: checked, differences };
}

/** Milliseconds that a prepared statement takes, by sending it again and again. */
async function timeStatement(
  client: pg.Client,
  name: string,
  { text, values }: Statement,
  seconds: number,
): Promise<number> {
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < seconds * 1000; count += 1)
    await client.query({ name, text, values: [...values] });
  return (performance.now() - start) / count;
}

/** A school's year by month and level, from daily totals, against PostgreSQL's own sums of the sessions. */
export async function measureCharts({ world, portal, pace }: Bench): Promise<Figure[]> {
  const { from, to } = world;
  const totals = (schoolId: number) =>
    statementOf(schoolId, (db) => listBucketTotals(db, 'school', bucketsOf('month', from, to), from, to));
  const statements = { totals: await totals(1), tenfold: await totals(world.tenfold), raw: rawStatement(1, world) };
  const client = new pg.Client({ connectionString: world.url });
  await client.connect();
  const sql = await withHashSlot(pace, {
    totals: (seconds) => timeStatement(client, 'totals', statements.totals, seconds / 2),
    raw: (seconds) => timeStatement(client, 'raw', statements.raw, seconds / 2),
    tenfold: (seconds) => timeStatement(client, 'totals', statements.tenfold, seconds / 2),
  });
  await client.end();

  const bare = await serveBare(world.url, [statements.raw]);
  const chart = (schoolId: number) => (seconds: number) =>
    load(portal.url, CONNECTIONS, seconds, () => ({
      path: chartPath(TIME, world),
      headers: { authorization: `Bearer ${adminToken(schoolId)}` },
    }));
  const http = await withHashSlot(pace, {
    totals: chart(1),
    raw: (seconds) => load(bare.url, CONNECTIONS, seconds, () => ({ path: '/0' })),
    tenfold: chart(world.tenfold),
  });
  await bare.stop();
  const checks = [await countDifferences(portal, world, 1), await countDifferences(portal, world, world.tenfold)];
  const differences = checks.reduce((sum, check) => sum + check.differences, 0);
  return [
    told('Chart of a year, SQL on daily totals', ms(median(sql.map((round) => round.totals)))),
    told('The same sums from the sessions, SQL', ms(median(sql.map((round) => round.raw)))),
    atLeast('Chart, SQL: totals faster than sessions', median(sql.map((round) => round.raw / round.totals)), 2, times),
    atMost(
      'Chart, SQL: ten times the sessions take',
      median(sql.map((round) => round.tenfold / round.totals)),
      1.5,
      times,
    ),
    told('Chart of a year over HTTP', perSecond(median(http.map((round) => round.totals.perSecond)))),
    told('Sums of the sessions from a bare route', perSecond(median(http.map((round) => round.raw.perSecond)))),
    atLeast(
      'Chart, HTTP: faster than the bare route on sessions',
      median(http.map((round) => round.totals.perSecond / round.raw.perSecond)),
      2,
      times,
    ),
    atMost(
      'Chart, HTTP: ten times the sessions take',
      median(http.map((round) => round.totals.perSecond / round.tenfold.perSecond)),
      1.5,
      times,
    ),
    atMost(
      `Chart: values of ${checks.reduce((sum, check) => sum + check.values, 0)} that differ from the sessions' sums`,
      differences,
      0,
      String,
    ),
  ];
}
