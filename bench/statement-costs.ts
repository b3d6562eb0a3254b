import { createHash, randomUUID } from 'node:crypto';
import type { SchoolDb } from '#server/database/school.ts';
import { findSession } from '#server/auth/sessions.queries.ts';
import { bucketsOf } from '#server/features/dashboard/buckets.service.ts';
import { getChartScope, listBucketTotals, listPupilTotals } from '#server/features/dashboard/charts.queries.ts';
import { listPupils } from '#server/features/pupils/pupils.queries.ts';
import { insertSessions } from '#server/features/reading-app/reading-app.queries.ts';
import { findSubscription } from '#server/features/subscriptions/subscriptions.queries.ts';
import { getWholeSchool } from '#server/features/school/school.queries.ts';
import type { StaffSession } from '#server/http/pipeline.ts';
import pg from 'pg';
import * as least from './contenders.ts';
import { adminToken, ask, firstPupil, type SimulationEnvironment } from './database.ts';
import { atMost, type Bench, type Figure, times } from './measure.ts';
import { backendTime } from './process-usage.ts';
import { inTurns, median } from './rounds.ts';
import { directStatementOf, type Statement, statementOf } from './statements.ts';

/** What the portal sends against the least that answers. */
interface Pair {
  portal: Statement;
  least: Statement;
  /** Written and undone each time. */
  writes?: boolean;
}

/** A connection of its own for a statement, with the school's role and settings where the portal sends it so. */
export async function connectFor(url: string, schoolId?: number): Promise<pg.Client & { pid: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  if (schoolId !== undefined) await client.query(`set app.school_id = '${schoolId}'; set role portal_school`);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return Object.assign(client, { pid: rows[0]?.pid ?? 0 });
}

/** Milliseconds of the backend's processor time that a prepared statement takes, by sending it again and again. */
export async function timeStatement(
  client: pg.Client & { pid: number },
  { text, values }: Statement,
  seconds: number,
  writes = false,
): Promise<number> {
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  const end = performance.now() + seconds * 1000;
  const start = backendTime(client.pid);
  let count = 0;
  for (; performance.now() < end; count += 1) {
    if (writes) await client.query('begin');
    await client.query({ name, text, values: [...values] });
    if (writes) await client.query('rollback');
  }
  return (backendTime(client.pid) - start) / count;
}

const admin = (schoolId: number) =>
  ({ kind: 'user', role: 'admin', userId: (schoolId - 1) * 8 + 1, schoolId }) as StaffSession;

async function listPairs(schoolId: number): Promise<Record<string, Pair>> {
  const pairs: Record<string, Pair> = {};
  for (const search of ['', 'jo'])
    for (const sort of ['name', 'username', 'group', 'last_read_at'] as const) {
      const query = { search, sort, direction: 'desc', page: 1 } as const;
      pairs[`list by ${sort}${search ? ', searched' : ''}`] = {
        portal: await statementOf(schoolId, (db) =>
          listPupils(db, admin(schoolId), { ...query, classes: undefined, perPage: 50 }),
        ),
        least: least.leastList(schoolId, query),
      };
    }
  return pairs;
}

async function chartPairs(schoolId: number, { from, to }: SimulationEnvironment): Promise<Record<string, Pair>> {
  const months = bucketsOf('month', from, to);
  const classId = (schoolId - 1) * 14 + 1;
  return {
    'chart, its scope': {
      portal: await statementOf(schoolId, (db) => getChartScope(db, 'school')),
      least: least.leastChartScope(schoolId),
    },
    'chart of the school': {
      portal: await statementOf(schoolId, (db) => listBucketTotals(db, 'school', months, from, to)),
      least: least.leastSchoolChart(schoolId, from, to),
    },
    'chart of a class': {
      portal: await statementOf(schoolId, (db) => listBucketTotals(db, { classId }, months, from, to)),
      least: least.leastClassChart(schoolId, classId, from, to),
    },
    'chart of each pupil': {
      portal: await statementOf(schoolId, (db) => listPupilTotals(db, 'school', from, to)),
      least: least.leastPupilChart(schoolId, from, to),
    },
  };
}

async function schoolPairs(schoolId: number): Promise<Record<string, Pair>> {
  const portal = {
    school: (db: SchoolDb) => getWholeSchool(db, admin(schoolId)),
    subscription: findSubscription,
  };
  const pairs: Record<string, Pair> = {};
  for (const [name, contender] of Object.entries(least.leastSchool))
    pairs[`school page, ${name}`] = {
      portal: await statementOf(schoolId, (db) => portal[name as keyof typeof portal](db)),
      least: contender(schoolId),
    };
  return pairs;
}

async function intakePair(schoolId: number, world: SimulationEnvironment): Promise<Pair> {
  const books = await ask<{ id: string; reading_level: number }>(world.url, 'select id, reading_level from books');
  const sessions = Array.from({ length: 20 }, (_, n) => ({
    id: randomUUID(),
    book_id: Number(books[n % books.length]?.id),
    reading_level: books[n % books.length]?.reading_level ?? 1,
    started_at: new Date(Date.parse(world.to) - (n % 10) * 86_400_000 + n * 1000).toISOString(),
    reading_time: 300,
    last_page: 1,
    words_attempted: 100,
    words_correct: 90,
    has_completed_book: n % 3 === 0,
    heatmap: [10, 20, 30],
    played_words: ['castle'],
    skipped_words: ['island'],
  }));
  const pupilId = firstPupil(schoolId);
  const now = new Date();
  return {
    portal: await statementOf(schoolId, (db) => insertSessions(db, pupilId, sessions, now)),
    least: least.leastIntake(schoolId, pupilId, sessions, now),
    writes: true,
  };
}

/** Each statement of the hot paths in the school's role, against the least SQL that answers the same without one. */
export async function measureStatements({ world, pace }: Bench): Promise<Figure[]> {
  const schoolId = 3;
  const tokenHash = createHash('sha256').update(adminToken(schoolId)).digest();
  const now = new Date();
  const pairs: Record<string, Pair> = {
    ...(await listPairs(schoolId)),
    session: {
      portal: await directStatementOf((database) => findSession(database, tokenHash, now)),
      least: least.leastSession(tokenHash, now),
    },
    ...(await chartPairs(schoolId, world)),
    ...(await schoolPairs(schoolId)),
    'intake of 20 reading sessions': await intakePair(schoolId, world),
  };
  const inScope = await connectFor(world.url, schoolId);
  const owner = await connectFor(world.url);
  const figures: Figure[] = [];
  for (const [name, pair] of Object.entries(pairs)) {
    const rounds = await inTurns(
      { rounds: pace.rounds, seconds: pace.seconds / 8 },
      {
        portal: (seconds) => timeStatement(name === 'session' ? owner : inScope, pair.portal, seconds, pair.writes),
        least: (seconds) => timeStatement(owner, pair.least, seconds, pair.writes),
      },
    );
    const portal = median(rounds.map((round) => round.portal));
    figures.push(
      atMost(
        `Statement, ${name}: of the least (${Math.round(portal * 1000)} µs)`,
        median(rounds.map((round) => round.portal / round.least)),
        1.3,
        times,
      ),
    );
  }
  await inScope.end();
  await owner.end();
  return figures;
}
