import { schoolCalls } from '#contract/calls/school.ts';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { ADA, BO, content, NOW, OTHERS, pupilOf, connectedSchool } from '../../../testing/connected-school.ts';

const connected = await connectedSchool();
const { app, server, at, save, set, remove, tryOut, check, runNightly, list, open, apply, pupilNames } = connected;
const { connect, claimedUntil } = connected;

describe('a connection', () => {
  test('a saved connection has an encrypted secret that is never shown', async () => {
    const { reply } = await save();
    expect(reply.connection).toEqual({
      url: server.url,
      token_url: server.tokenUrl,
      client_id: server.client.id,
      school: null,
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
    }>`select encode(secret, 'escape') as content from school_records_connections`.execute(app.database.kysely);
    expect(rows[0]?.content).not.toContain(server.client.secret);
  });

  test('saving a connection needs the secret each time, and an address without user, query or other scheme', async () => {
    expect((await save({ client_secret: '' })).status).toBe(422);
    for (const url of ['ftp://mis.example', 'https://user@mis.example', 'https://mis.example?x=1', 'mis.example', ''])
      expect((await save({ url })).error.errors).toHaveProperty('url');
    expect((await list()).connection).toBeNull();
  });

  test('a connection needs https where private addresses are not allowed', async () => {
    const { config } = app.services;
    config.allowsPrivateProviders = false;
    const https = { url: 'https://mis.example', token_url: 'https://mis.example/token' };
    expect((await save()).error.errors).toEqual({ url: ['The address must begin with https://.'] });
    for (const field of ['url', 'token_url'])
      expect((await save({ ...https, [field]: 'http://mis.example/https:' })).error.errors).toHaveProperty(field);
    expect((await save(https)).status).toBe(200);
    config.allowsPrivateProviders = true;
  });

  test('testing a connection describes what the server has, and changes nothing', async () => {
    await save();
    server.serve(content(ADA, BO, { ...pupilOf('Cy'), status: 'tobedeleted' }));
    server.records.users[1] = { ...server.records.users[1], sourcedId: 'bo', grades: ['R'] };
    server.records.classes[0] = { ...server.records.classes[0], sourcedId: 'k3', title: 'Year 10 Otters' };
    expect((await tryOut()).reply).toEqual({
      schools: [{ source_id: 'org', name: 'org', pupils: 2 }],
      needs_school: false,
      pupils: 2,
      classes: [
        { source_id: 'k4', name: 'Year 4 Wrens', pupils: 1 },
        { source_id: 'k3', name: 'Year 10 Otters', pupils: 1 },
      ],
      school_years: [
        { school_year: 0, pupils: 1 },
        { school_year: 3, pupils: 1 },
      ],
      notes: [],
    });
    expect(await list()).toMatchObject({ runs: [], connection: { checked_at: null } });
  });

  test('a failed test or check of a connection states why, and a check stores the reason until a check works', async () => {
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

  test('removing a connection keeps its pupils, classes and planned run', async () => {
    await connect(ADA, BO);
    server.serve(content(ADA, BO, ...OTHERS));
    const runId = (await check()).reply.run_id ?? 0;
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
    expect((await tryOut()).status).toBe(404);
    expect((await check()).status).toBe(404);
    expect((await set({ is_paused: true })).status).toBe(404);
    expect(await list()).toMatchObject({ connection: null, sources: [{ pupils: 2 }] });
    expect((await apply(runId)).status).toBe(200);
    expect(await pupilNames()).toHaveLength(8);
  });

  test('the audit log names a connection by its host, without credentials', async () => {
    await save();
    await set({ is_automatic: true });
    await remove();
    const { reply } = await app.call(schoolCalls.listAuditLog, { ...at(), query: { page: '1', per_page: '25' } });
    const entries = reply.entries.filter(({ action }) => action.startsWith('school_records_'));
    expect(entries.map(({ action }) => action)).toEqual([
      'school_records_connection_removed',
      'school_records_connection_changed',
      'school_records_connection_saved',
    ]);
    expect(JSON.stringify(entries)).not.toContain(server.client.id);
  });
});

describe('a check', () => {
  test('a check by an admin plans what differs, recognises the pupils of files by their IDs, and plans nothing when nothing differs', async () => {
    const runId = await connect(ADA, BO);
    expect(await pupilNames()).toEqual(['Ada', 'Bo']);
    expect((await list()).runs).toMatchObject([{ id: runId, origin: 'check', state: 'applied', is_automatic: false }]);
    expect((await check()).reply.run_id).toBeNull();
  });

  test('a check by an admin deletes the planned run of a nightly check when nothing differs any more', async () => {
    await connect(ADA, BO);
    server.serve(content(ADA, BO, pupilOf('Jo')));
    await runNightly();
    expect((await list()).runs).toMatchObject([{ state: 'planned' }, { state: 'applied' }]);
    server.serve(content(ADA, BO));
    expect((await check()).reply.run_id).toBeNull();
    expect((await list()).runs).toMatchObject([{ state: 'applied' }]);
  });

  test('a check reads only the chosen classes and year groups, and leaves the other pupils alone', async () => {
    await connect(ADA, BO);
    await set({ classes: [{ source_id: 'k4', name: 'Year 4 Wrens' }] });
    const moved = [pupilOf('Cy'), pupilOf('Di', 'k4', '04')];
    server.serve(content({ ...ADA, given: 'Adelaide' }, { ...BO, given: 'Beau' }, ...moved));
    const { plan } = await open((await check()).reply.run_id ?? 0);
    expect(plan).toMatchObject({ leavers: [], joiners: [{ name: 'Di Quaglino' }], names: [{ name: 'Beau Quaglino' }] });
    await set({ classes: [], school_years: [3] });
    const { plan: planOfYear3 } = await open((await check()).reply.run_id ?? 0);
    expect(planOfYear3).toMatchObject({
      leavers: [],
      joiners: [{ name: 'Cy Quaglino' }],
      names: [{ name: 'Adelaide Quaglino' }],
    });
    const staged = await sql<{ id: string }>`
      select content -> 'staged' ->> 'sourceId' as id from run_rows where school_id = ${connected.school.id}
      and content ? 'staged' order by id`.execute(app.database.kysely);
    expect(staged.rows.map(({ id }) => id)).toEqual(['ada', 'bo', 'cy']);
  });

  test('a check fails when a chosen class has no pupils any more, or no pupil is chosen', async () => {
    await save();
    await set({ classes: [{ source_id: 'gone', name: 'Year 5 Owls' }] });
    expect((await check()).error.error).toContain('(Year 5 Owls)');
    await set({ classes: [], school_years: [6] });
    expect((await check()).error.error).toContain('no pupils in what you chose');
  });

  test('a check stores nothing when the connection has changed meanwhile', async () => {
    await save();
    const changes = [() => set({ is_paused: true }), () => save(), remove];
    for (const change of changes) {
      connected.intercept = async (url) => {
        if (url.includes('/classes')) await change();
      };
      expect((await check()).status).toBe(409);
    }
    expect((await list()).runs).toEqual([]);
    await save();
    connected.intercept = async (url) => {
      if (url.includes('/classes')) await save();
    };
    server.fail = ({ kind }) => (kind === 'classes' ? { status: 404 } : undefined);
    expect((await check()).status).toBe(422);
    expect((await list()).connection).toMatchObject({ checked_at: null, failure: null });
  });

  test('a check by an admin has a minute, and its claim a minute more', async () => {
    await save();
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    connected.intercept = async () => expect(await claimedUntil()).toEqual(new Date('2026-11-18T12:02:00Z'));
    for (const call of [tryOut, check]) {
      expect((await call()).status).toBe(200);
      expect(timeout).toHaveBeenCalledWith(60_000);
      timeout.mockClear();
    }
    timeout.mockRestore();
  });

  test('a check by an admin ends its claim after a fault of our own', async () => {
    await save();
    for (const call of [tryOut, check]) {
      connected.intercept = () => Promise.reject(new TypeError('a fault'));
      expect((await call()).status).toBe(500);
      expect(await claimedUntil()).toBeNull();
    }
    expect((await list()).connection).toMatchObject({ checked_at: null, failure: null });
  });

  test('a second check while one runs answers 409, until its claim has ended', async () => {
    await save();
    let during: Awaited<ReturnType<typeof check>> | undefined;
    connected.intercept = async (url) => {
      if (url.includes('/classes')) during = await check();
    };
    expect([(await check()).status, during?.status]).toEqual([200, 409]);
    connected.intercept = undefined;
    await sql`update school_records_connections set claim_id = gen_random_uuid(), claimed_until = '2026-11-18T12:02:00Z'`.execute(
      app.database.kysely,
    );
    expect((await check()).error.error).toContain('A check is running already');
    expect((await tryOut()).status).toBe(409);
    app.setTime('2026-11-18T12:02:00.000Z');
    expect((await check()).status).toBe(200);
  });
});

describe('a connection to a server with pupils of two schools', () => {
  const NURSERY = { source_id: 'other', name: 'Oak Nursery' };
  const moveToNursery = () =>
    Object.assign(server.records.users.find(({ sourcedId }) => sourcedId === 'bo') ?? {}, {
      roles: [{ role: 'student', org: { sourcedId: 'other' } }],
    });

  test('a test lists the schools, and a check is rejected until one is chosen', async () => {
    await save();
    moveToNursery();
    expect((await tryOut()).reply).toEqual({
      schools: [
        { source_id: 'org', name: 'Oak Primary', pupils: 1 },
        { ...NURSERY, pupils: 1 },
      ],
      needs_school: true,
      pupils: 0,
      classes: [],
      school_years: [],
      notes: [],
    });
    expect((await check()).error.error).toContain('pupils of 2 schools. Test the connection, and choose yours.');
    expect((await set({ school: NURSERY })).reply.connection.school).toEqual(NURSERY);
    expect((await tryOut()).reply).toMatchObject({ needs_school: false, pupils: 1 });
    const { plan } = await open((await check()).reply.run_id ?? 0);
    expect(plan?.joiners.map(({ name }) => name)).toEqual(['Bo Quaglino']);
  });

  test('a check is rejected when the chosen school has no pupils any more', async () => {
    await save();
    await set({ school: NURSERY });
    expect((await check()).error.error).toContain('no pupils of the school that you chose (Oak Nursery) any more');
    expect((await tryOut()).reply).toMatchObject({ needs_school: true, schools: [{ source_id: 'org', pupils: 2 }] });
  });
});

test('a known pupil whose record cannot be read is no leaver, and the notes of the run say so', async () => {
  await connect(ADA, BO);
  server.serve(content(ADA, BO, ...OTHERS));
  Object.assign(server.records.users.find(({ sourcedId }) => sourcedId === 'bo') ?? {}, { familyName: null });
  const { plan, notes } = await open((await check()).reply.run_id ?? 0);
  expect(plan).toMatchObject({ leavers: [], names: [], movers: [] });
  expect(plan?.joiners).toHaveLength(OTHERS.length);
  expect(notes).toEqual([expect.stringContaining('familyName is empty. The pupil was left out.')]);
});
