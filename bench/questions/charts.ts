import type { Chart } from '#contract/calls/charts.ts';
import { bucketsOf } from '#server/features/reading/dashboard/buckets.service.ts';
import { listBucketTotals } from '#server/features/reading/dashboard/charts.queries.ts';
import { adminToken, query, type SimulationEnvironment } from '../harness/environment.ts';
import { load } from '../harness/load.ts';
import { atLeast, atMost, type Bench, type Figure, ms, perSecond, times, info } from '../harness/figures.ts';
import { type ServerProcess, serveBare } from '../harness/server-process.ts';
import { inTurns, median } from '../harness/rounds.ts';
import { connectAs, type Statement, captureSchoolStatement, timeStatement } from '../harness/statements.ts';

const CONNECTIONS = 4;
const TIME = 'group_reading_time_by_reading_level_over_time';
const ACCURACY = 'group_accuracy_by_reading_level_over_time';

/** Sums the sessions themselves: a school's year by month and level. */
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

async function getChart(
  portal: ServerProcess,
  environment: SimulationEnvironment,
  schoolId: number,
  name: string,
): Promise<Chart> {
  const response = await fetch(portal.url + chartPath(name, environment), {
    headers: { authorization: `Bearer ${adminToken(schoolId)}` },
  });
  return ((await response.json()) as { chart: Chart }).chart;
}

/** Counts the values of a school's charts that differ from the sums of the sessions. */
export async function countDifferences(
  portal: ServerProcess,
  environment: SimulationEnvironment,
  schoolId: number,
): Promise<{ values: number; differences: number }> {
  const { text, values } = rawStatement(schoolId, environment);
  const rows = await query<Record<string, string>>(environment.url, text, [...values]);
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
  const time = await getChart(portal, environment, schoolId, TIME);
  const accuracy = await getChart(portal, environment, schoolId, ACCURACY);
  let checked = 2;
  const all = expected.get('all null');
  let differences =
    Number(time.total !== (all?.time ?? 0)) +
    Number(accuracy.average !== (all ? (all.correct / all.attempted) * 100 : null));
  for (const chart of [time, accuracy])
    for (const { level, data } of chart.series)
      data.forEach((value, index) => {
        const sum = expected.get(`${chart.labels[index]} ${level}`);
        const expectedValue = chart === time ? (sum?.time ?? 0) : sum ? (sum.correct / sum.attempted) * 100 : null;
        checked += 1;
        if (value !== expectedValue) differences += 1;
      });
  return { values: checked, differences };
}

/** How fast is a chart of a year from daily totals, compared with summing the sessions? Are its values right? */
export async function measureCharts({ environment, portal, pace }: Bench): Promise<Figure[]> {
  const { from, to } = environment;
  const client = await connectAs(environment.url);
  const chartOf = async (schoolId: number) => {
    const statement = await captureSchoolStatement(schoolId, (db) =>
      listBucketTotals(db, 'school', bucketsOf('month', from, to), from, to),
    );
    return (seconds: number) => timeStatement(client, statement, seconds / 2);
  };
  const sql = await inTurns(pace, {
    sparse: await chartOf(1),
    raw: (seconds) => timeStatement(client, rawStatement(1, environment), seconds / 2),
    tenfold: await chartOf(environment.tenfold),
    dense: await chartOf(environment.dense),
    denseYear: await chartOf(environment.denseYear),
  });
  await client.end();

  const bare = await serveBare(environment.url, [
    rawStatement(1, environment),
    rawStatement(environment.dense, environment),
  ]);
  const chart = (schoolId: number) => (seconds: number) =>
    load(portal, CONNECTIONS, seconds, () => ({
      path: chartPath(TIME, environment),
      headers: { authorization: `Bearer ${adminToken(schoolId)}` },
    }));
  const http = await inTurns(pace, {
    sparse: chart(1),
    raw: (seconds) => load(bare, CONNECTIONS, seconds, () => ({ path: '/0' })),
    tenfold: chart(environment.tenfold),
    dense: chart(environment.dense),
    rawDense: (seconds) => load(bare, CONNECTIONS, seconds, () => ({ path: '/1' })),
  });
  await bare.stop();
  const checks = await Promise.all(
    [1, environment.tenfold, environment.dense, environment.denseYear].map((schoolId) =>
      countDifferences(portal, environment, schoolId),
    ),
  );
  const values = checks.reduce((sum, check) => sum + check.values, 0);
  const differences = checks.reduce((sum, check) => sum + check.differences, 0);
  return [
    info('Chart of a year, its statement, processor time', ms(median(sql.map((round) => round.sparse)))),
    info('The same sums from the sessions', ms(median(sql.map((round) => round.raw)))),
    atLeast(
      'Chart, statement: less than from the sessions',
      median(sql.map((round) => round.raw / round.sparse)),
      2,
      times,
    ),
    atMost(
      'Chart, statement: ten times the sessions',
      median(sql.map((round) => round.tenfold / round.sparse)),
      1.5,
      times,
    ),
    atMost(
      'Chart, statement: 400 pupils a day, of the sparse school',
      median(sql.map((round) => round.dense / round.sparse)),
      3,
      times,
    ),
    atMost(
      'Chart, statement: after three years, of one year',
      median(sql.map((round) => round.dense / round.denseYear)),
      1.1,
      times,
    ),
    info('Chart of a year over HTTP', perSecond(median(http.map((round) => round.sparse.perSecond)))),
    info('Sums of the sessions from a bare route', perSecond(median(http.map((round) => round.raw.perSecond)))),
    atLeast(
      'Chart, HTTP: faster than the bare route on sessions',
      median(http.map((round) => round.sparse.perSecond / round.raw.perSecond)),
      4,
      times,
    ),
    atMost(
      'Chart, HTTP: ten times the sessions',
      median(http.map((round) => round.sparse.perSecond / round.tenfold.perSecond)),
      1.5,
      times,
    ),
    atMost(
      'Chart, HTTP: 400 pupils a day',
      median(http.map((round) => round.sparse.perSecond / round.dense.perSecond)),
      3,
      times,
    ),
    info(
      'Chart, HTTP: the same against the bare route on their sessions',
      times(median(http.map((round) => round.dense.perSecond / round.rawDense.perSecond))),
    ),
    atMost(`Chart: values of ${values} that differ from the sums of the sessions`, differences, 0, String),
  ];
}
