import { schoolCalls } from '#contract/calls/school.ts';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { inPlatform } from '../../../database/platform.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { ADA, BO, content, NOW, OTHERS, pupilOf, connectedSchool } from '../../../testing/connected-school.ts';
import { checkJob } from './check.jobs.ts';

const connected = await connectedSchool();
const {
  app,
  at,
  server,
  save,
  set,
  remove,
  check,
  claimedUntil,
  list,
  open,
  apply,
  undo,
  discard,
  continueOn,
  runNightly,
  pupilNames,
  connect,
  mailTexts,
} = connected;

const execute = <Row>(statement: RawBuilder<Row>) => statement.execute(app.database.kysely);

describe('nightly checks', () => {
  test('a nightly check plans a run and emails the numbers to the admins, who apply and undo it', async () => {
    await connect(ADA, BO);
    server.serve(content(ADA, ...OTHERS.slice(0, 2)));
    await runNightly();
    const [run] = (await list()).runs;
    expect(run).toMatchObject({ origin: 'nightly', state: 'planned', created_by: null, is_automatic: false });
    expect(app.mails.map(({ recipient }) => recipient)).toEqual([connected.school.admin.email]);
    expect(mailTexts()[0]).toContain('2 joiners, 1 pupil who may have left');
    expect(mailTexts()[0]).not.toMatch(/Quaglino|Ada/);
    expect(await pupilNames()).toEqual(['Ada', 'Bo']);
    await apply(run?.id ?? 0);
    expect(await pupilNames()).toEqual(['Ada', 'Bo', 'Cy', 'Di']);
    await undo(run?.id ?? 0);
    expect(await pupilNames()).toEqual(['Ada', 'Bo']);
  });

  test('a member of staff whom a later nightly check no longer finds is in one email, and stays until an admin decides', async () => {
    await connect(ADA, BO);
    const { teacher } = connected.school;
    const named = (...emails: string[]) => ({
      ...content(ADA, BO),
      staff: emails.map((email, index) => ({ id: `s${index}`, given: 'Jo', family: 'Reed', email })),
    });
    server.serve(named('other@oak.example', teacher.email));
    // Staff to invite make no plan, and those who are here are remembered.
    await runNightly();
    expect(mailTexts()).toEqual([]);
    server.serve(named('other@oak.example'));
    await runNightly();
    expect(mailTexts()[0]).toContain('need your decision: 1 member of staff who may have left.');
    expect(mailTexts()[0]).not.toContain('Morgan');
    const runId = (await list()).runs[0]?.id ?? 0;
    expect((await open(runId)).plan?.missing_staff).toEqual([{ user: teacher.id, name: 'Morgan Teacher' }]);
    await runNightly();
    expect(mailTexts()).toEqual([]);
    expect((await apply(runId, { kept_staff: [teacher.id] })).status).toBe(200);
    await runNightly();
    expect([mailTexts(), (await list()).runs[0]?.state]).toEqual([[], 'applied']);
  });

  test('a nightly check plans the same changes once, replaces its planned run, and deletes it when nothing differs', async () => {
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
    expect((await list()).runs.map(({ state }) => state)).toEqual(['planned', 'applied']);
    server.serve(content(ADA));
    await runNightly();
    expect(mailTexts()).toEqual([]);
    expect((await list()).runs.map(({ state }) => state)).toEqual(['applied']);
  });

  test('a nightly check does not plan again for 30 days what an admin discarded or left open', async () => {
    await connect(ADA, BO);
    server.serve(content(ADA));
    await runNightly();
    await discard((await list()).runs[0]?.id ?? 0);
    await continueOn('2026-12-17');
    await runNightly();
    expect([mailTexts(), (await list()).runs[0]?.state]).toEqual([[], 'discarded']);
    await continueOn('2026-12-19');
    await runNightly();
    expect(mailTexts()).toHaveLength(1);
    await apply((await list()).runs[0]?.id ?? 0);
    await runNightly();
    expect([mailTexts(), (await list()).runs[0]?.state]).toEqual([[], 'applied']);
  });

  const PAUSED = { start: () => set({ is_paused: true }), end: () => set({ is_paused: false }) };
  const CLOSED = {
    start: () =>
      execute(sql`insert into school_closings (school_id, requested_by, requested_at, takes_effect_at, closed_at, erase_at)
        values (${connected.school.id}, ${connected.school.admin.id}, ${NOW}, ${NOW}, ${NOW}, ${NOW})`),
    end: () => execute(sql`delete from school_closings`),
  };
  const EXPIRED = {
    start: () =>
      execute(sql`update subscriptions set starts_at = '2026-01-01', expires_at = ${NOW}
        where school_id = ${connected.school.id}`),
    end: () =>
      execute(sql`update subscriptions set expires_at = '2027-01-01' where school_id = ${connected.school.id}`),
  };
  const LOCKED = {
    start: () =>
      execute(
        sql`update invoices set due_date = '2026-11-17', locks_on = '2026-11-18' where school_id = ${connected.school.id}`,
      ),
    end: () => execute(sql`update invoices set status = 'paid' where school_id = ${connected.school.id}`),
  };
  const stored = async () => {
    const { rows } = await sql<object>`
      select claim_id, checked_at, result,
        (select count(*)::int from school_records_sources where school_id = ${connected.school.id}) as sources,
        (select count(*)::int from runs where school_id = ${connected.school.id}) as runs
      from school_records_connections where school_id = ${connected.school.id}`.execute(app.database.kysely);
    return rows;
  };
  const NOTHING = { claim_id: null, checked_at: null, result: null, sources: 0, runs: 0 };

  test.each([
    ['paused, until it continues', PAUSED],
    ['closed, until it is reopened', CLOSED],
    ['expired, until it has a subscription', EXPIRED],
    ['locked, until it has paid', LOCKED],
  ])('a nightly check skips a school that is %s', async (_name, { start, end }) => {
    await save();
    await set({ is_automatic: true });
    await app.build.invoice(connected.school);
    await start();
    await runNightly();
    expect([server.received, mailTexts(), await stored()]).toEqual([[], [], [NOTHING]]);
    await end();
    await runNightly();
    expect(mailTexts()).toEqual([expect.stringContaining('2 joiners')]);
    expect((await list()).runs).toMatchObject([{ origin: 'nightly', state: 'planned' }]);
  });

  test('a nightly check reads the records of a school whose invoice is due today', async () => {
    await save();
    await app.build.invoice(connected.school);
    await execute(
      sql`update invoices set due_date = '2026-11-18', locks_on = '2026-11-19' where school_id = ${connected.school.id}`,
    );
    await runNightly();
    expect((await list()).runs).toHaveLength(1);
  });

  describe.each([
    ['paused', () => set({ is_paused: true }), [NOTHING]],
    ['closed', CLOSED.start, [NOTHING]],
    ['expired', EXPIRED.start, [NOTHING]],
    ['locked', LOCKED.start, [NOTHING]],
    ['disconnected', remove, []],
    ['erased', () => execute(sql`delete from schools where id = ${connected.school.id}`), []],
  ])('a school that was %s meanwhile', (_name, change, storedAfter) => {
    test.each([
      ['what was read', undefined],
      ['a failure', { status: 404 }],
    ])(
      'a nightly check stores and emails nothing of %s when the school may no longer be checked',
      async (_what, fault) => {
        await save();
        await app.build.invoice(connected.school);
        connected.intercept = async (url) => {
          if (url.includes('/enrollments')) await change();
        };
        server.fail = ({ kind }) => (kind === 'enrollments' ? fault : undefined);
        await runNightly();
        expect(server.received.map(({ kind }) => kind)).toContain('enrollments');
        expect([mailTexts(), await stored()]).toEqual([[], storedAfter]);
        await CLOSED.end();
      },
    );
  });

  test('a nightly check emails a failure once, until a check has worked again', async () => {
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

  test('a nightly check emails a failure again after an admin has made a check that works, but not after one that fails', async () => {
    await connect(ADA, BO);
    const fault = ({ kind }: { kind: string }) => (kind === 'users' ? { status: 404 } : undefined);
    server.fail = fault;
    await runNightly();
    expect(mailTexts()).toHaveLength(1);
    expect((await check()).status).toBe(422);
    await runNightly();
    expect(mailTexts()).toEqual([]);
    server.fail = undefined;
    expect((await check()).status).toBe(200);
    server.fail = fault;
    await runNightly();
    expect(mailTexts()).toHaveLength(1);
    await save();
    await runNightly();
    expect(mailTexts()).toHaveLength(1);
  });

  test('a nightly check has five minutes, and its claim a minute more', async () => {
    await save();
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    connected.intercept = async () => expect(await claimedUntil()).toEqual(new Date('2026-11-18T12:06:00Z'));
    await runNightly();
    expect(timeout).toHaveBeenCalledWith(300_000);
    expect((await list()).runs).toHaveLength(1);
    timeout.mockRestore();
  });

  test('a nightly check ends its claim after a fault of our own, and emails nothing', async () => {
    await save();
    connected.intercept = () => Promise.reject(new TypeError('a fault'));
    await expect(runNightly()).rejects.toThrow('a fault');
    expect([mailTexts(), await stored()]).toEqual([[], [NOTHING]]);
  });

  test('a nightly check of another day, or of a connection that was paused since, is dropped', async () => {
    await save();
    const runOn = async (day: string) => {
      const data = { schoolId: connected.school.id, day };
      await inPlatform(app.services.database, (db) => enqueue(db, 'school-records-check', data));
      await app.runJobs();
    };
    await runOn('2026-11-17');
    await set({ is_paused: true });
    await runOn('2026-11-18');
    expect(server.received).toEqual([]);
  });

  test('a nightly check ends with the process, and can be made again', async () => {
    await save();
    const stopped = AbortSignal.abort(new Error('The process is stopping.'));
    const data = { schoolId: connected.school.id, day: '2026-11-18' };
    await expect(checkJob(app.services).run(data, stopped)).rejects.toThrow('stopping');
    expect(await stored()).toEqual([NOTHING]);
  });

  test('a nightly check leaves a connection alone that an admin is checking', async () => {
    await save();
    connected.intercept = async (url) => {
      if (url.includes('/classes')) await runNightly();
    };
    expect((await check()).status).toBe(200);
    expect(server.received.filter(({ kind }) => kind === 'users')).toHaveLength(1);
  });

  test('a nightly check asks for a new secret when the stored one cannot be read', async () => {
    await save();
    await sql`update school_records_connections set secret = '\\x00'`.execute(app.database.kysely);
    await runNightly();
    expect(mailTexts()[0]).toContain('Save the connection again');
  });
});

describe('automatic checks', () => {
  const joiners = OTHERS.slice(0, 2);
  test('an automatic check applies joiners and movers, and leaves leavers, names, recognised pupils and questions to an admin', async () => {
    const [fay, one, two] = await app.build.pupils(connected.school, null, [
      'Fay Quaglino',
      'Ida Quaglino',
      'Ida Quaglino',
    ]);
    await connect(ADA, BO, ...joiners);
    await set({ is_automatic: true });
    const [cy, di] = joiners as [typeof ADA, typeof ADA];
    server.serve(
      content(
        { ...ADA, classes: ['k4'] },
        { ...cy, given: 'Cyrus' },
        di,
        pupilOf('Fay'),
        pupilOf('Ida'),
        pupilOf('Jo', 'k4'),
      ),
    );
    server.records.classes[0] = { ...server.records.classes[0], sourcedId: 'k3', title: 'Year 3 Stoats' };
    await runNightly();
    const { runs } = await list();
    expect(runs.slice(0, 2)).toMatchObject([
      { origin: 'nightly', state: 'planned' },
      { origin: 'nightly', state: 'applied', is_automatic: true, closed_by: null, counts: { joiners: 1, movers: 1 } },
    ]);
    expect(runs[1]?.counts).toEqual({
      joiners: 1,
      movers: 1,
      returners: 0,
      names: 0,
      year_groups: 0,
      leavers: 0,
      classes: 0,
    });
    const { plan } = await open(runs[0]?.id ?? 0);
    expect(plan).toMatchObject({
      joiners: [],
      recognised: [{ pupil: fay?.id }],
      movers: [{ pupil: fay?.id }],
      leavers: [{ name: 'Bo Quaglino' }],
      names: [{ from: 'Cy Quaglino', name: 'Cyrus Quaglino' }],
      questions: [{ candidates: [{ id: one?.id }, { id: two?.id }] }],
      classes: [{ from: 'Year 3 Otters', name: 'Year 3 Stoats' }],
    });
    expect(mailTexts()[0]).toContain('1 joiner, 1 change of class');
    expect(mailTexts()[0]).toContain('no one has seen their passwords');
    await runNightly();
    expect([mailTexts(), (await list()).runs.length]).toEqual([[], runs.length]);
  });

  test('an automatic check leaves pupils who are to be deleted or are back to an admin, and stores no one else who has left', async () => {
    await connect(ADA, BO, ...joiners);
    server.serve(content(ADA, ...joiners));
    const first = (await check()).reply.run_id ?? 0;
    await apply(first, { leavers: (await open(first)).plan?.leavers.map(({ pupil }) => pupil) });
    expect(await pupilNames()).toEqual(['Ada', 'Cy', 'Di']);
    await set({ is_automatic: true });
    const gone = (pupil: typeof ADA) => ({ ...pupil, status: 'tobedeleted' });
    const [ada, jo] = [gone({ ...ADA, classes: ['k4'] }), pupilOf('Jo')];
    server.serve(content(ada, gone(BO), ...joiners, jo, gone(pupilOf('Zed'))));
    await runNightly();
    const { runs } = await list();
    expect(runs[1]?.counts).toMatchObject({ joiners: 1, movers: 0, leavers: 0 });
    expect((await open(runs[0]?.id ?? 0)).plan).toMatchObject({ leavers: [{ name: 'Ada Quaglino' }], movers: [] });
    const { rows } = await execute(sql<{ id: string }>`
      select content -> 'staged' ->> 'sourceId' as id from run_rows
      where school_id = ${connected.school.id} and run_id = ${runs[0]?.id} order by id`);
    expect(rows.map(({ id }) => id)).toEqual(['ada', 'cy', 'di', 'jo']);
    server.serve(content(ada, BO, ...joiners, jo, pupilOf('Kit')));
    await runNightly();
    expect(await pupilNames()).toEqual(['Ada', 'Cy', 'Di', 'Jo', 'Kit']);
    expect((await open((await list()).runs[0]?.id ?? 0)).plan?.returners).toMatchObject([{ name: 'Bo Quaglino' }]);
  });

  test('an automatic check leaves a class as it is that was renamed in the portal', async () => {
    await connect(ADA, BO);
    await set({ is_automatic: true });
    await execute(sql`update classes set name = 'Kingfishers', name_key = 'kingfishers'
      where school_id = ${connected.school.id} and name = 'Year 3 Otters'`);
    server.serve(content(ADA, BO, pupilOf('Jo')));
    await runNightly();
    server.serve(content({ ...ADA, given: 'Adelaide' }, BO, pupilOf('Jo')));
    await runNightly();
    const [run] = (await list()).runs;
    expect((await open(run?.id ?? 0)).plan).toMatchObject({ names: [{ name: 'Adelaide Quaglino' }], classes: [] });
  });

  test('an automatic check applies no plan that is on hold, and none with more joiners than places', async () => {
    await connect(ADA, BO, ...OTHERS);
    await set({ is_automatic: true });
    server.serve(content(ADA, pupilOf('Jo')));
    await runNightly();
    expect((await list()).runs[0]).toMatchObject({ state: 'planned' });
    expect((await open((await list()).runs[0]?.id ?? 0)).plan?.on_hold).toMatchObject({ reason: 'leaving' });
    const many = Array.from({ length: 13 }, (_, n) => pupilOf(`J${'abcdefghijklm'[n]}`));
    server.serve(content(ADA, BO, ...OTHERS, ...many));
    await runNightly();
    expect((await list()).runs[0]).toMatchObject({ state: 'planned' });
    expect(await pupilNames()).toHaveLength(8);
    server.serve(content(ADA, BO, ...OTHERS, ...many.slice(1)));
    await runNightly();
    expect(await pupilNames()).toHaveLength(20);
  });

  test('an automatic check applies nothing until an admin has applied a run, also after an undo or a discarded run', async () => {
    await save();
    await set({ is_automatic: true });
    await runNightly();
    expect(await pupilNames()).toEqual([]);
    await apply((await list()).runs[0]?.id ?? 0);
    server.serve(content(ADA, BO, ...joiners));
    await runNightly();
    expect(await pupilNames()).toEqual(['Ada', 'Bo', 'Cy', 'Di']);
    await undo((await list()).runs[0]?.id ?? 0);
    await runNightly();
    expect(await pupilNames()).toEqual(['Ada', 'Bo']);
    const [planned] = (await list()).runs;
    expect(planned).toMatchObject({ state: 'planned' });
    await discard(planned?.id ?? 0);
    server.serve(content(ADA, BO, ...joiners, pupilOf('Jo')));
    await runNightly();
    expect(await pupilNames()).toEqual(['Ada', 'Bo']);
    await apply((await list()).runs[0]?.id ?? 0);
    server.serve(content(ADA, BO, ...joiners, pupilOf('Jo'), pupilOf('Kit')));
    await runNightly();
    expect(await pupilNames()).toContain('Kit');
  });

  test('an automatic check does not plan an unanswered leaver again when it applies something else', async () => {
    await connect(ADA, BO);
    await set({ is_automatic: true });
    server.serve(content(ADA));
    await runNightly();
    await apply((await list()).runs[0]?.id ?? 0);
    server.serve(content(ADA, pupilOf('Jo')));
    await runNightly();
    expect((await list()).runs[0]).toMatchObject({ state: 'applied', counts: { joiners: 1 } });
    expect(mailTexts()[0]).toContain('1 joiner');
    expect(mailTexts()[0]).not.toContain('need your decision');
  });

  test('an automatic check plans again what is open when it applies something else, and records in the audit log what it applied', async () => {
    await connect(ADA, BO);
    await set({ is_automatic: true });
    server.serve(content(ADA));
    await runNightly();
    server.serve(content(ADA, pupilOf('Jo')));
    await runNightly();
    const { runs } = await list();
    expect(runs).toMatchObject([
      { state: 'planned' },
      { state: 'applied', counts: { joiners: 1 } },
      { state: 'applied' },
    ]);
    expect((await open(runs[0]?.id ?? 0)).plan?.leavers).toMatchObject([{ name: 'Bo Quaglino' }]);
    expect(mailTexts()[0]).not.toContain('need your decision');
    const query = { page: '1', per_page: '25' } as const;
    const { entries } = (await app.call(schoolCalls.listAuditLog, { ...at(), query })).reply;
    expect(entries.find(({ action }) => action === 'school_records_applied_nightly')).toMatchObject({
      details: { run: runs[1]?.id, joiners: 1, movers: 0 },
    });
  });
});

test.each([
  ['nightly check', runNightly],
  ['check by an admin', check],
] as const)('a %s that finds only new year groups stores them each time, without a run', async (_kind, run) => {
  await connect(ADA, BO);
  const stored = async () => {
    const { rows } = await execute(sql<{ year_group: string }>`
      select year_group from pupils where school_id = ${connected.school.id} and year_group is not null order by name`);
    return rows.map(({ year_group }) => year_group);
  };
  for (const grade of ['05', '06']) {
    server.serve(content(pupilOf('Ada', 'k3', grade), BO));
    await run();
    expect(await stored()).toEqual([String(Number(grade)), '4']);
  }
  expect((await list()).runs.map(({ state }) => state)).toEqual(['applied']);
});
