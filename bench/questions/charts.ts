import { bucketsOf } from '#server/features/reading/dashboard/date-range.service.ts';
import { listBucketTotals } from '#server/features/reading/dashboard/charts.queries.ts';
import { adminToken, type Environment } from '../harness/environment.ts';
import { load } from '../harness/load.ts';
import { atLeast, atMost, type Bench, type Figure, ms, perSecond, times, info } from '../harness/figures.ts';
import { query } from '../harness/postgres.ts';
import { inTurns } from '../harness/rounds.ts';
import { connectAs, type Statement, captureSchoolStatement, timeStatement } from '../harness/statements.ts';

const CONNECTIONS = 4;

/** Sums the sessions themselves: a school's year by month and level. */
const rawStatement = (schoolId: number, { from, to }: Environment): Statement => ({
  text: `select date_trunc('month', started_at at time zone 'Europe/London')::date::text as month, reading_level,
      sum(reading_time) as reading_time, sum(words_attempted) as words_attempted, sum(words_correct) as words_correct
    from reading_sessions
    where school_id = $1 and started_at >= $2::date::timestamp at time zone 'Europe/London'
      and started_at < ($3::date + 1)::timestamp at time zone 'Europe/London'
    group by 1, 2 order by 1, 2`,
  values: [schoolId, from, to],
});

/** Counts the daily totals of pupils in a school that differ from the sums of its sessions. */
export async function countDifferences(url: string, schoolId: number): Promise<number> {
  const days = `select pupil_id, day, reading_level, reading_time::bigint, words_attempted::bigint, words_correct::bigint
    from reading_days where school_id = $1`;
  const sums = `select pupil_id, (started_at at time zone 'Europe/London')::date, reading_level, sum(reading_time),
      sum(words_attempted), sum(words_correct)
    from reading_sessions where school_id = $1 group by 1, 2, 3`;
  const differences = `(${days} except all ${sums}) union all (${sums} except all ${days})`;
  const [row] = await query<{ n: string }>(url, `select count(*) as n from (${differences}) differences`, [schoolId]);
  return Number(row?.n);
}

/** How fast is a chart of a year from daily totals, compared with summing the sessions? Do its totals equal the sums? */
export async function measureCharts({ environment, portal, pace }: Bench): Promise<Figure[]> {
  const { from, to } = environment;
  const client = await connectAs(environment.url);
  const chartOf = async (schoolId: number) => {
    const statement = await captureSchoolStatement(schoolId, (db) =>
      listBucketTotals(db, 'school', bucketsOf('month', from, to), from, to),
    );
    return (seconds: number) => timeStatement(client, statement, seconds / 2);
  };
  const ofSql = await inTurns(pace, {
    sparse: await chartOf(1),
    raw: (seconds) => timeStatement(client, rawStatement(1, environment), seconds / 2),
    tenfold: await chartOf(environment.tenfold),
    dense: await chartOf(environment.dense),
    denseYear: await chartOf(environment.denseYear),
  });
  await client.end();

  const path = `/v1/charts?name=group_reading_time_by_reading_level_over_time&start_date=${from}&end_date=${to}`;
  const chart = (schoolId: number) => async (seconds: number) => {
    const headers = { authorization: `Bearer ${adminToken(schoolId)}` };
    return (await load(portal, CONNECTIONS, seconds, () => ({ path, headers }))).perSecond;
  };
  const ofHttp = await inTurns(pace, {
    sparse: chart(1),
    tenfold: chart(environment.tenfold),
    dense: chart(environment.dense),
  });
  let differences = 0;
  for (const schoolId of [1, environment.tenfold, environment.dense, environment.denseYear])
    differences += await countDifferences(environment.url, schoolId);
  const [less, tenfold, dense, years] = [
    ofSql((round) => round.raw / round.sparse),
    ofSql((round) => round.tenfold / round.sparse),
    ofSql((round) => round.dense / round.sparse),
    ofSql((round) => round.dense / round.denseYear),
  ];
  const tenfoldHttp = ofHttp((round) => round.sparse / round.tenfold);
  const denseHttp = ofHttp((round) => round.sparse / round.dense);
  return [
    info('Chart of a year, its statement, processor time', ms(ofSql(({ sparse }) => sparse))),
    info('The same sums from the sessions', ms(ofSql(({ raw }) => raw))),
    atLeast('Chart, statement: less than from the sessions', less, 2, times),
    atMost('Chart, statement: ten times the sessions', tenfold, 1.5, times),
    atMost('Chart, statement: 400 pupils a day, of the sparse school', dense, 3, times),
    atMost('Chart, statement: after three years, of one year', years, 1.1, times),
    info('Chart of a year over HTTP', perSecond(ofHttp(({ sparse }) => sparse))),
    atMost('Chart, HTTP: ten times the sessions', tenfoldHttp, 1.5, times),
    atMost('Chart, HTTP: 400 pupils a day', denseHttp, 3, times),
    atMost('Daily totals that differ from the sums of the sessions', differences, 0, String),
  ];
}
