import { rosterCalls } from '#contract/calls/roster.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { accessCalls } from '#contract/calls/access.ts';
import { inPlatform } from '../../database/platform.ts';
import { outbound } from '../../http/outbound-fetch.ts';
import { retryWait } from '../../http/retry-wait.ts';
import { enqueue } from '../../jobs/queue.ts';
import { testApp } from '../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../testing/builder.ts';
import type { BundleContent } from '../../testing/oneroster.ts';
import { startOneRosterServer } from '../../testing/oneroster-server.ts';

const app = testApp({ OIDC_PRIVATE_NETWORK: 'on' });
const CLASSES = [
  { id: 'k3', title: 'Year 3 Otters' },
  { id: 'k4', title: 'Year 4 Wrens' },
];
const pupilOf = (name: string, classId = 'k3', grade = '03') => ({
  id: name.toLowerCase(),
  given: name,
  family: 'Quaglino',
  classes: [classId],
  grade,
});
const content = (...pupils: ReturnType<typeof pupilOf>[]): BundleContent => ({ pupils, classes: CLASSES });
const ADA = pupilOf('Ada');
const BO = pupilOf('Bo', 'k4', '04');
const OTHERS = ['Cy', 'Di', 'Ed', 'Flo', 'Gus', 'Hal'].map((name) => pupilOf(name));

const server = await startOneRosterServer(content(ADA, BO));
afterAll(() => server.stop());
/** Runs before a request reaches the server. */
let intercept: ((url: string) => Promise<unknown>) | undefined;
const { makeFetch } = outbound;
const fetching = vi.spyOn(outbound, 'makeFetch').mockImplementation((allowsPrivate) => {
  const fetch = makeFetch(allowsPrivate);
  return async (url, request) => {
    await intercept?.(url);
    return fetch(url, request);
  };
});
afterAll(() => fetching.mockRestore());
const wait = vi.spyOn(retryWait, 'wait').mockResolvedValue();
afterAll(() => wait.mockRestore());

const NOW = '2026-11-18T12:00:00.000Z';
let school: BuiltSchool;
let admin: { token: string };
beforeEach(async () => {
  app.setTime(NOW);
  await sql`delete from roster_connections`.execute(app.database.kysely);
  school = await app.build.school({ maxPupils: 24 });
  admin = { token: school.admin.token };
  app.mails.length = 0;
  intercept = undefined;
  Object.assign(server, { fail: undefined, received: [] });
  server.serve(content(ADA, BO));
});

const at = () => ({ params: { id: school.id }, ...admin });
const address = (changes: object = {}) => ({
  url: server.url,
  token_url: server.tokenUrl,
  client_id: server.client.id,
  client_secret: server.client.secret,
  ...changes,
});
const save = (changes?: object) => app.call(rosterCalls.saveRosterConnection, { ...at(), body: address(changes) });
const set = (body: object) => app.call(rosterCalls.setRosterConnection, { ...at(), body });
const tryOut = () => app.call(rosterCalls.testRosterConnection, at());
const check = () => app.call(rosterCalls.checkRosterConnection, at());
const list = async () =>
  (await app.call(rosterCalls.listRosterRuns, { ...at(), query: { page: '1', per_page: '50' } })).reply;
const open = async (runId: number) =>
  (await app.call(rosterCalls.getRosterRun, { params: { id: school.id, runId }, ...admin })).reply;
const decide = async (runId: number, decisions: object = {}) => {
  const { version } = await open(runId);
  const body = { version: version ?? '', ...decisions };
  return app.call(rosterCalls.applyRosterRun, { params: { id: school.id, runId }, ...admin, body });
};
const undo = (runId: number) => app.call(rosterCalls.undoRosterRun, { params: { id: school.id, runId }, ...admin });
const reject = (runId: number) => app.call(rosterCalls.rejectRosterRun, { params: { id: school.id, runId }, ...admin });
/** Continues on another day, with another login. */
const continueOn = async (day: string) => {
  app.setTime(`${day}T12:00:00.000Z`);
  const { reply } = await app.call(accessCalls.logIn, { body: { email: school.admin.email, password: PASSWORD } });
  admin = { token: reply.meta.token };
};
const runNightly = async () => {
  app.mails.length = 0;
  await inPlatform(app.services.database, (db) => enqueue(db, 'school-records-checks', {}));
  await app.runJobs();
};
const pupilNames = async () =>
  (
    await sql<{ name: string }>`
      select name from pupils where school_id = ${school.id} and archived_at is null and name like '% Quaglino' order by name`.execute(
      app.database.kysely,
    )
  ).rows.map(({ name }) => name.split(' ')[0]);
/** Connects, and accepts everything of a first check. */
const connect = async (...pupils: ReturnType<typeof pupilOf>[]) => {
  server.serve(content(...pupils));
  await save();
  const runId = (await check()).reply.run_id ?? 0;
  expect((await decide(runId)).status).toBe(200);
  return runId;
};
const mailTexts = () => app.mails.filter(({ kind }) => kind === 'records_check').map(({ text }) => text);

describe('a connection', () => {
  test('is saved, and its secret is encrypted and never shown', async () => {
    const { reply } = await save();
    expect(reply.connection).toEqual({
      url: server.url,
      token_url: server.tokenUrl,
      client_id: server.client.id,
      classes: [],
      school_years: [],
      is_automatic: false,
      is_paused: false,
      checked_at: null,
      failure: null,
      found: null,
    });
    expect((await list()).connection).toEqual(reply.connection);
    const { rows } = await sql<{
      content: string;
    }>`select encode(secret, 'escape') as content from roster_connections`.execute(app.database.kysely);
    expect(rows[0]?.content).not.toContain(server.client.secret);
  });

  test('needs the secret each time, and an address without user, query or other scheme', async () => {
    expect((await save({ client_secret: '' })).status).toBe(422);
    for (const url of ['ftp://mis.example', 'https://user@mis.example', 'https://mis.example?x=1', 'mis.example', ''])
      expect((await save({ url })).error.errors).toHaveProperty('url');
    expect((await list()).connection).toBeNull();
  });

  test('needs https where private addresses are not allowed', async () => {
    const { config } = app.services;
    config.allowsPrivateProviders = false;
    expect((await save()).error.errors).toEqual({ url: ['The address must begin with https://.'] });
    config.allowsPrivateProviders = true;
  });

  test('is tested: what there is, without a change', async () => {
    await save();
    server.records.users[1] = { ...server.records.users[1], sourcedId: 'bo', grades: ['R'] };
    expect((await tryOut()).reply).toEqual({
      pupils: 2,
      classes: [
        { source_id: 'k3', name: 'Year 3 Otters', pupils: 1 },
        { source_id: 'k4', name: 'Year 4 Wrens', pupils: 1 },
      ],
      school_years: [
        { school_year: 0, pupils: 1 },
        { school_year: 3, pupils: 1 },
      ],
      notes: [],
    });
    expect(await list()).toMatchObject({ runs: [], connection: { checked_at: null } });
  });

  test('states why a test or a check failed, and a check stores it until one works', async () => {
    await save({ client_secret: 'another' });
    const tested = await tryOut();
    expect([tested.status, tested.error.error]).toEqual([422, expect.stringContaining('did not accept the client ID')]);
    expect((await check()).status).toBe(422);
    const { connection } = await list();
    expect(connection).toMatchObject({ checked_at: NOW, failure: tested.error.error, found: null });
    await save();
    await check();
    expect((await list()).connection).toMatchObject({ failure: null, found: { pupils: 2, classes: 2 } });
  });

  test('is removed, and pupils, classes and what waits stay', async () => {
    await connect(ADA, BO);
    server.serve(content(ADA, BO, ...OTHERS));
    const runId = (await check()).reply.run_id ?? 0;
    expect((await app.call(rosterCalls.removeRosterConnection, at())).status).toBe(200);
    expect((await app.call(rosterCalls.removeRosterConnection, at())).status).toBe(404);
    expect((await tryOut()).status).toBe(404);
    expect((await check()).status).toBe(404);
    expect((await set({ is_paused: true })).status).toBe(404);
    expect(await list()).toMatchObject({ connection: null, sources: [{ pupils: 2 }] });
    expect((await decide(runId)).status).toBe(200);
    expect(await pupilNames()).toHaveLength(8);
  });

  test('is in the audit log by its host, without credentials', async () => {
    await save();
    await set({ is_automatic: true });
    await app.call(rosterCalls.removeRosterConnection, at());
    const { reply } = await app.call(schoolCalls.listAuditLog, { ...at(), query: { page: '1', per_page: '25' } });
    const entries = reply.entries.filter(({ action }) => action.startsWith('records_'));
    expect(entries.map(({ action }) => action)).toEqual([
      'records_connection_removed',
      'records_connection_changed',
      'records_connection_saved',
    ]);
    expect(JSON.stringify(entries)).not.toContain(server.client.id);
  });
});

describe('a check', () => {
  test('proposes what differs, keeps the pupils of files with the same IDs, and nothing when nothing differs', async () => {
    const runId = await connect(ADA, BO);
    expect(await pupilNames()).toEqual(['Ada', 'Bo']);
    expect((await list()).runs).toMatchObject([{ id: runId, origin: 'check', state: 'applied', is_automatic: false }]);
    expect((await check()).reply.run_id).toBeNull();
  });

  test('reads only the chosen classes and year groups, and leaves the other pupils alone', async () => {
    await connect(ADA, BO);
    await set({ classes: [{ source_id: 'k4', name: 'Year 4 Wrens' }] });
    const moved = [pupilOf('Cy'), pupilOf('Di', 'k4', '04')];
    server.serve(content({ ...ADA, given: 'Adelaide' }, { ...BO, given: 'Beau' }, ...moved));
    const { plan } = await open((await check()).reply.run_id ?? 0);
    expect(plan).toMatchObject({ leavers: [], joiners: [{ name: 'Di Quaglino' }], names: [{ name: 'Beau Quaglino' }] });
    await set({ classes: [], school_years: [3] });
    const { plan: other } = await open((await check()).reply.run_id ?? 0);
    expect(other).toMatchObject({
      leavers: [],
      joiners: [{ name: 'Cy Quaglino' }],
      names: [{ name: 'Adelaide Quaglino' }],
    });
    const staged = await sql<{ id: string }>`
      select content -> 'staged' ->> 'sourceId' as id from roster_rows where school_id = ${school.id}
      and content ? 'staged' order by id`.execute(app.database.kysely);
    expect(staged.rows.map(({ id }) => id)).toEqual(['ada', 'bo', 'cy']);
  });

  test('fails when a chosen class has no pupils any more, or no pupil is chosen', async () => {
    await save();
    await set({ classes: [{ source_id: 'gone', name: 'Year 5 Owls' }] });
    expect((await check()).error.error).toContain('(Year 5 Owls)');
    await set({ classes: [], school_years: [6] });
    expect((await check()).error.error).toContain('no pupils in what you chose');
  });

  test('stores nothing when the connection has changed meanwhile', async () => {
    await save();
    const changes = [
      () => set({ is_paused: true }),
      () => save(),
      () => app.call(rosterCalls.removeRosterConnection, at()),
    ];
    for (const change of changes) {
      intercept = async (url) => {
        if (url.includes('/classes')) await change();
      };
      expect((await check()).status).toBe(409);
    }
    expect((await list()).runs).toEqual([]);
  });

  test('a second check while one runs answers 409, until its claim has ended', async () => {
    await save();
    let during: Awaited<ReturnType<typeof check>> | undefined;
    intercept = async (url) => {
      if (url.includes('/classes')) during = await check();
    };
    expect([(await check()).status, during?.status]).toEqual([200, 409]);
    intercept = undefined;
    await sql`update roster_connections set claim_id = gen_random_uuid(), claimed_until = '2026-11-18T12:02:00Z'`.execute(
      app.database.kysely,
    );
    expect((await check()).error.error).toContain('A check is running already');
    expect((await tryOut()).status).toBe(409);
    app.setTime('2026-11-18T12:02:00.000Z');
    expect((await check()).status).toBe(200);
  });
});

describe('a nightly check', () => {
  test('proposes, emails the numbers to the admins, and is accepted and undone', async () => {
    await connect(ADA, BO);
    server.serve(content(ADA, ...OTHERS.slice(0, 2)));
    await runNightly();
    const [run] = (await list()).runs;
    expect(run).toMatchObject({ origin: 'nightly', state: 'proposed', created_by: null, is_automatic: false });
    expect(app.mails.map(({ recipient }) => recipient)).toEqual([school.admin.email]);
    expect(mailTexts()[0]).toContain('2 joiners, 1 pupil who may have left');
    expect(mailTexts()[0]).not.toMatch(/Quaglino|Ada/);
    expect(await pupilNames()).toEqual(['Ada', 'Bo']);
    await decide(run?.id ?? 0);
    expect(await pupilNames()).toEqual(['Ada', 'Bo', 'Cy', 'Di']);
    await undo(run?.id ?? 0);
    expect(await pupilNames()).toEqual(['Ada', 'Bo']);
  });

  test('proposes the same only once, replaces what waits, and drops it when nothing differs', async () => {
    await connect(ADA);
    server.serve(content(ADA, BO));
    await runNightly();
    const [first] = (await list()).runs;
    await runNightly();
    expect(mailTexts()).toEqual([]);
    expect((await list()).runs).toHaveLength(2);
    expect((await list()).runs[0]?.id).toBe(first?.id);
    server.serve(content(ADA, BO, OTHERS[0] ?? BO));
    await runNightly();
    expect(mailTexts()).toHaveLength(1);
    expect((await list()).runs.map(({ state }) => state)).toEqual(['proposed', 'applied']);
    server.serve(content(ADA));
    await runNightly();
    expect(mailTexts()).toEqual([]);
    expect((await list()).runs.map(({ state }) => state)).toEqual(['applied']);
  });

  test('does not propose for 30 days what an admin did not accept, or left open', async () => {
    await connect(ADA, BO);
    server.serve(content(ADA));
    await runNightly();
    await reject((await list()).runs[0]?.id ?? 0);
    await continueOn('2026-12-17');
    await runNightly();
    expect([mailTexts(), (await list()).runs[0]?.state]).toEqual([[], 'rejected']);
    await continueOn('2026-12-19');
    await runNightly();
    expect(mailTexts()).toHaveLength(1);
    await decide((await list()).runs[0]?.id ?? 0);
    await runNightly();
    expect([mailTexts(), (await list()).runs[0]?.state]).toEqual([[], 'applied']);
  });

  test('skips a paused connection, a closed school and one without a subscription', async () => {
    await save();
    await set({ is_paused: true });
    await runNightly();
    await set({ is_paused: false });
    const { kysely } = app.database;
    await sql`insert into school_closings (school_id, requested_by, requested_at, takes_effect_at, closed_at, erase_at)
      values (${school.id}, ${school.admin.id}, ${NOW}, ${NOW}, ${NOW}, ${NOW})`.execute(kysely);
    await runNightly();
    await sql`delete from school_closings`.execute(kysely);
    await sql`update subscriptions set starts_at = '2026-01-01', expires_at = ${NOW} where school_id = ${school.id}`.execute(
      kysely,
    );
    await runNightly();
    expect(server.received).toEqual([]);
    await sql`update subscriptions set expires_at = '2027-01-01' where school_id = ${school.id}`.execute(kysely);
    await runNightly();
    expect(server.received).not.toEqual([]);
    expect((await list()).runs).toHaveLength(1);
  });

  test.each([
    ['paused', () => sql`update roster_connections set is_paused = true`],
    [
      'closed',
      () => sql`insert into school_closings (school_id, requested_by, requested_at, takes_effect_at, closed_at, erase_at)
      values (${school.id}, ${school.admin.id}, ${NOW}, ${NOW}, ${NOW}, ${NOW})`,
    ],
    [
      'expired',
      () => sql`update subscriptions set starts_at = '2026-01-01', expires_at = ${NOW} where school_id = ${school.id}`,
    ],
    ['disconnected', () => sql`delete from roster_connections`],
    ['erased', () => sql`delete from schools where id = ${school.id}`],
  ])('stores nothing for a school that was %s meanwhile', async (_name, change) => {
    await save();
    intercept = async (url) => {
      if (url.includes('/enrollments')) await change().execute(app.database.kysely);
    };
    await runNightly();
    expect(server.received.map(({ kind }) => kind)).toContain('enrollments');
    const { rows } = await sql`select from roster_runs where school_id = ${school.id}`.execute(app.database.kysely);
    expect([rows.length, mailTexts()]).toEqual([0, []]);
    await sql`delete from school_closings`.execute(app.database.kysely);
  });

  test('emails a failure once, until a check has worked again', async () => {
    await connect(ADA, BO);
    server.fail = ({ kind }) => (kind === 'users' ? { status: 500 } : undefined);
    await runNightly();
    expect(mailTexts()[0]).toContain('has a fault (500)');
    await runNightly();
    expect(mailTexts()).toEqual([]);
    expect((await list()).connection?.failure).toContain('has a fault');
    server.fail = undefined;
    await runNightly();
    server.fail = ({ kind }) => (kind === 'users' ? { body: '{"users":[]}', total: 0 } : undefined);
    await runNightly();
    expect(mailTexts()[0]).toContain('has no users at the moment');
    expect(await pupilNames()).toEqual(['Ada', 'Bo']);
  });

  test('asks for a new secret when the stored one cannot be read', async () => {
    await save();
    await sql`update roster_connections set secret = '\\x00'`.execute(app.database.kysely);
    await runNightly();
    expect(mailTexts()[0]).toContain('Save the connection again');
  });
});

describe('a nightly check that may act by itself', () => {
  const joiners = OTHERS.slice(0, 2);
  test('applies joiners and movers, and leaves leavers, names and questions to an admin', async () => {
    const [same] = await app.build.pupils(school, null, ['Ida Quaglino']);
    await connect(ADA, BO, ...joiners);
    await set({ is_automatic: true });
    const [cy, di] = joiners as [typeof ADA, typeof ADA];
    server.serve(
      content({ ...ADA, classes: ['k4'] }, { ...cy, given: 'Cyrus' }, di, pupilOf('Ida'), pupilOf('Jo', 'k4')),
    );
    server.records.classes[0] = { ...server.records.classes[0], sourcedId: 'k3', title: 'Year 3 Stoats' };
    await runNightly();
    const { runs } = await list();
    expect(runs.slice(0, 2)).toMatchObject([
      { origin: 'nightly', state: 'proposed' },
      { origin: 'nightly', state: 'applied', is_automatic: true, decided_by: null, counts: { joiners: 1, movers: 1 } },
    ]);
    expect(runs[1]?.counts).toEqual({ joiners: 1, movers: 1, returners: 0, names: 0, leavers: 0, classes: 0 });
    const { plan } = await open(runs[0]?.id ?? 0);
    expect(plan).toMatchObject({
      joiners: [],
      movers: [],
      leavers: [{ name: 'Bo Quaglino' }],
      names: [{ from: 'Cy Quaglino', name: 'Cyrus Quaglino' }],
      questions: [{ candidates: [{ id: same?.id }] }],
      classes: [{ from: 'Year 3 Otters', name: 'Year 3 Stoats' }],
    });
    expect(mailTexts()[0]).toContain('1 joiner, 1 change of class');
    expect(mailTexts()[0]).toContain('no one has seen their passwords');
    await runNightly();
    expect([mailTexts(), (await list()).runs.length]).toEqual([[], runs.length]);
  });

  test('applies nothing that a hold stops, and nothing that does not fit', async () => {
    await connect(ADA, BO, ...OTHERS);
    await set({ is_automatic: true });
    server.serve(content(ADA, pupilOf('Jo')));
    await runNightly();
    expect((await list()).runs[0]).toMatchObject({ state: 'proposed' });
    expect((await open((await list()).runs[0]?.id ?? 0)).plan?.hold).toMatchObject({ reason: 'leaving' });
    const many = Array.from({ length: 13 }, (_, n) => pupilOf(`J${'abcdefghijklm'[n]}`));
    server.serve(content(ADA, BO, ...OTHERS, ...many));
    await runNightly();
    expect((await list()).runs[0]).toMatchObject({ state: 'proposed' });
    expect(await pupilNames()).toHaveLength(8);
    server.serve(content(ADA, BO, ...OTHERS, ...many.slice(1)));
    await runNightly();
    expect(await pupilNames()).toHaveLength(20);
  });

  test('waits at first, and after an undo or a rejection, until an admin accepts again', async () => {
    await save();
    await set({ is_automatic: true });
    await runNightly();
    expect(await pupilNames()).toEqual([]);
    await decide((await list()).runs[0]?.id ?? 0);
    server.serve(content(ADA, BO, ...joiners));
    await runNightly();
    expect(await pupilNames()).toEqual(['Ada', 'Bo', 'Cy', 'Di']);
    await undo((await list()).runs[0]?.id ?? 0);
    await runNightly();
    expect(await pupilNames()).toEqual(['Ada', 'Bo']);
    const [proposed] = (await list()).runs;
    expect(proposed).toMatchObject({ state: 'proposed' });
    await reject(proposed?.id ?? 0);
    server.serve(content(ADA, BO, ...joiners, pupilOf('Jo')));
    await runNightly();
    expect(await pupilNames()).toEqual(['Ada', 'Bo']);
    await decide((await list()).runs[0]?.id ?? 0);
    server.serve(content(ADA, BO, ...joiners, pupilOf('Jo'), pupilOf('Kit')));
    await runNightly();
    expect(await pupilNames()).toContain('Kit');
  });

  test('does not propose again what was not accepted, when it applies something else', async () => {
    await connect(ADA, BO);
    await set({ is_automatic: true });
    server.serve(content(ADA));
    await runNightly();
    await decide((await list()).runs[0]?.id ?? 0);
    server.serve(content(ADA, pupilOf('Jo')));
    await runNightly();
    expect((await list()).runs[0]).toMatchObject({ state: 'applied', counts: { joiners: 1 } });
    expect(mailTexts()[0]).toContain('1 joiner');
    expect(mailTexts()[0]).not.toContain('wait for you');
  });
});
