import { api } from '#contract/api.ts';
import type { Call } from '#contract/call.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { programCalls } from '#contract/calls/programs.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { handlers } from '../app.ts';
import { inSchool } from '../database/school.ts';
import { ingestSessions, parseSessions } from '../features/reading/reading-app/reading-app.public.ts';
import { makeSession } from '../testing/builder.ts';
import { exampleQuery, pathWithIds } from '../testing/example-requests.ts';
import { testApp } from '../testing/app.ts';

const app = testApp();
const gets = Object.values<Call>(api).filter(({ method }) => method === 'GET');

/** GETs that record who saw or downloaded what, and therefore wait while no connection is free for a write. May only shrink. */
const WRITING_GETS = [
  'downloadCharts',
  'downloadPupilReports',
  'downloadSubjectFile',
  'exportAuditLog',
  'exportClassReading',
  'exportClasses',
  'exportPupilSessions',
  'exportPupils',
  'exportSchool',
  'exportSchoolInvoices',
  'exportTeachers',
  'getFile',
  'getInvite',
  'getSchoolState',
  'listNewLogins',
  'renderCertificates',
];
/** GETs that count attempts against a limit. May only shrink. */
const LIMITED_GETS = ['exportSchool', 'getHostedInvoice', 'getInvite'];

const declaresWrites = ({ name }: Call) => {
  const handler = handlers[name as keyof typeof handlers];
  return 'writes' in handler && handler.writes === true;
};

test('the GETs that write are those listed here', () => {
  const names = (calls: Call[]) => calls.map(({ name }) => name).sort();
  expect(names(gets.filter(declaresWrites))).toEqual(WRITING_GETS);
  expect(names(gets.filter(({ rateLimits }) => rateLimits))).toEqual(LIMITED_GETS);
});

test('every GET that only reads answers while a lock blocks all connections for writes', async () => {
  const { database } = app;
  // The embedded database has one connection, which every request shares.
  if (database.engine.kind === 'embedded') return;
  const school = await app.build.school();
  const invite = await app.build.invite(school);
  const operator = await app.build.operator();
  const tokenFor = ({ permission }: Call) =>
    permission === 'open'
      ? undefined
      : permission === 'operator'
        ? operator.token
        : permission === 'reader'
          ? school.ownClass.pupils[0]?.token
          : school.admin.token;
  const rename = async () => {
    const { token } = school.admin;
    const params = { id: school.id, groupId: school.ownClass.id };
    return (await app.call(classCalls.renameClass, { token, params, body: { name: 'Badgers' } })).status;
  };
  const answered: string[] = [];
  const renames: Promise<number>[] = [];
  /** The statuses of renames that ended while the lock was held. */
  const ended: number[] = [];
  await database.kysely.transaction().execute(async (tx) => {
    await sql`select from classes where id = ${school.ownClass.id} for update`.execute(tx);
    /** Starts renames until one has to wait for a connection. Those that waited too long for the lock are replaced. */
    const blockWrites = async () => {
      await expect
        .poll(() => {
          if (database.writes.waitingCount > 0) return true;
          renames.push(
            rename().then((status) => {
              ended.push(status);
              return status;
            }),
          );
          return false;
        })
        .toBe(true);
    };
    for (const call of gets) {
      // Each call of a program is counted, which is a write.
      if (declaresWrites(call) || call.rateLimits || call.permission === 'program') continue;
      await blockWrites();
      // The server ends a transaction that sends nothing.
      await sql`select`.execute(tx);
      const token = tokenFor(call);
      const query = call.query.safeParse({}).success ? '' : exampleQuery(call);
      const { status } = await app.ask('GET', pathWithIds(call, school, invite) + query, token ? { token } : {});
      expect([200, 404], `${call.name} answered ${status}`).toContain(status);
      answered.push(call.name);
    }
    expect(ended).not.toContain(200);
  });
  expect(answered).toEqual(expect.arrayContaining(['getHealth', 'getMe', 'findSchools', 'listPupils']));
  expect(await Promise.all(renames)).toContain(200);
});

type Sent = ReturnType<typeof makeSession>;
const minutesPast = (minutes: number) => new Date(Date.parse('2026-11-18T12:00:00Z') + minutes * 60_000);

test('the reading feed lists a session that commits after later ones before them, and misses none', async () => {
  // One connection cannot read beside its own transaction.
  if (app.database.engine.kind === 'embedded') return;
  const school = await app.build.school();
  const { token } = await app.build.program(school, { scopes: ['read_reading'] });
  const [slow, fast] = [1, 2].map(() => makeSession({ started_at: '2026-11-18T09:00:00Z' })) as [Sent, Sent];
  const { promise: isStored, resolve: store } = Promise.withResolvers<void>();
  const { promise: canCommit, resolve: commit } = Promise.withResolvers<void>();
  const ingest = async (pupilId: number, session: Sent, minutes: number, last = Promise.resolve()) => {
    const parsed = await parseSessions([session]);
    await inSchool(app.database, school.id, async (db) => {
      // The totals of the school's day and level stay locked until the commit, so the two sessions are at two levels.
      await ingestSessions(db, pupilId, parsed, minutesPast(minutes));
      store();
      await last;
    });
  };
  const begun = ingest(school.unplaced.id, { ...slow, book_id: 205 }, 0, canCommit);
  await isStored;
  await ingest(school.ownClass.pupils[0]?.id ?? 0, fast, 1);
  const listed: string[] = [];
  let since: string | undefined;
  const follow = async (minutes: number) => {
    app.setTime(minutesPast(minutes).toISOString());
    const query = since === undefined ? {} : { since };
    const { reply } = await app.call(programCalls.listReading, { params: { id: school.id }, query, token });
    listed.push(...reply.sessions.map(({ id }) => id));
    since = reply.meta.next;
  };
  for (const minutes of [1, 3, 9]) await follow(minutes);
  commit();
  await begun;
  for (const minutes of [10, 12]) await follow(minutes);
  expect(listed).toEqual([slow.id, fast.id]);
});

test('sessions that a program sends for a pupil whose erasure commits first are answered with 404', async () => {
  if (app.database.engine.kind === 'embedded') return;
  const school = await app.build.school();
  const { token } = await app.build.program(school, { scopes: ['intake'] });
  const { id } = school.unplaced;
  const { promise: isLocked, resolve: lock } = Promise.withResolvers<void>();
  const { promise: canCommit, resolve: commit } = Promise.withResolvers<void>();
  const erasure = app.database.kysely.transaction().execute(async (tx) => {
    await tx.deleteFrom('pupils').where('id', '=', id).execute();
    lock();
    await canCommit;
  });
  await isLocked;
  const params = { id: school.id, readerId: id };
  const body = { sessions: [makeSession({ started_at: '2026-11-18T09:00:00Z' })] };
  const answer = app.call(programCalls.storePupilSessions, { params, body, token });
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        app.database.kysely,
      );
      return rows[0]?.n;
    })
    .toBe(1);
  commit();
  await erasure;
  const { status, error } = await answer;
  expect({ status, text: error.error }).toEqual({ status: 404, text: 'We could not find this pupil in your school.' });
});
