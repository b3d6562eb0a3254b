import { runCalls } from '#contract/calls/runs.ts';
import { accessCalls } from '#contract/calls/access.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { type SchoolRecordsAnswers, schoolRecordsCalls } from '#contract/calls/school-records.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { type BundleContent, oneRosterBundle, transferFile } from '../../../testing/oneroster.ts';
import { carryOutRetention } from '../../privacy/retention/retention.public.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };

const NOW = '2026-11-18T12:00:00.000Z';
beforeEach(async () => {
  app.setTime(NOW);
  school = await app.build.school({ maxPupils: 40 });
  admin = { token: school.admin.token };
});

const at = () => ({ params: { id: school.id }, ...admin });
const forRun = (runId: number) => ({ params: { id: school.id, runId }, ...admin });
const planFile = (content: BundleContent | string) =>
  app.call(schoolRecordsCalls.planSchoolRecords, {
    ...at(),
    file:
      typeof content === 'string'
        ? { name: 'transfer.xml', content }
        : { name: 'bundle.zip', content: oneRosterBundle(content) },
  });
const open = async (content: BundleContent | string) => {
  const runId = (await planFile(content)).reply.run_id ?? 0;
  const { plan, version, notes } = (await app.call(schoolRecordsCalls.getSchoolRecordsRun, forRun(runId))).reply;
  if (!plan || !version) throw new Error('There is no plan.');
  return { runId, plan, version, notes };
};
const applyRun = (runId: number, body: Partial<SchoolRecordsAnswers> & { version: string }) =>
  app.call(schoolRecordsCalls.applySchoolRecordsRun, { ...forRun(runId), body });
/** Uploads a file and applies its plan. */
const applyFile = async (content: BundleContent | string, answers: Partial<SchoolRecordsAnswers> = {}) => {
  const { runId, version, plan } = await open(content);
  const { status, reply } = await applyRun(runId, { version, ...answers });
  expect(status).toBe(200);
  return { runId, plan, reply };
};
/** Continues at a later time, with another login. */
const continueAt = async (time: string) => {
  app.setTime(time);
  const { reply } = await app.call(accessCalls.logIn, { body: { email: school.admin.email, password: PASSWORD } });
  admin = { token: reply.meta.token };
};
const undo = (runId: number) => app.call(runCalls.undoRun, forRun(runId));

/** Pupils and classes as the database has them. */
const snapshot = async () => ({
  pupils: await app.database.kysely
    .selectFrom('pupils')
    .select(['id', 'name', 'class_id', 'archived_at'])
    .where('school_id', '=', school.id)
    .orderBy('id')
    .execute(),
  classes: await app.database.kysely
    .selectFrom('classes')
    .select(['id', 'name'])
    .where('school_id', '=', school.id)
    .orderBy('id')
    .execute(),
});
const links = () =>
  app.database.kysely
    .selectFrom('school_records_pupils')
    .selectAll()
    .where('school_id', '=', school.id)
    .orderBy('external_id')
    .execute();
const pupilNamed = async (name: string) => (await snapshot()).pupils.find((pupil) => pupil.name === name);

const WRENS = { id: 'k1', title: 'Wrens 3' };
const OWLS = { id: 'k2', title: 'Owls 4' };
const ada = { id: 'a', given: 'Ada', family: 'Bell', classes: ['k1'], birth: '2018-03-04' };
const tom = { id: 't', given: 'Tom', family: 'Price', classes: ['k2'], birth: '2017-03-04', grade: '04' };
const ivy = { id: 'i', given: 'Ivy', family: 'Lane', classes: ['k2'] };
const CLASSES = [WRENS, OWLS];
const FILE: BundleContent = { pupils: [ada, tom, ivy], classes: CLASSES };

test('a bundle adds pupils with logins and classes; the same bundle then changes nothing', async () => {
  const { plan, reply } = await applyFile({ pupils: [ada, tom], classes: CLASSES });
  expect(plan.joiners.map(({ name }) => name)).toEqual(['Ada Bell', 'Tom Price']);
  expect(reply.run.counts).toEqual({
    joiners: 2,
    returners: 0,
    movers: 0,
    names: 0,
    year_groups: 0,
    leavers: 0,
    classes: 2,
  });
  expect(reply.links?.logins).toContain('/');
  const { pupils, classes } = await snapshot();
  expect(classes.map(({ name }) => name)).toEqual(['Year 3 Wrens', 'Year 5 Swifts', 'Wrens 3', 'Owls 4']);
  expect(pupils.find(({ name }) => name === 'Ada Bell')?.class_id).toBe(classes[2]?.id);
  expect((await open({ pupils: [ada, tom], classes: CLASSES })).plan).toEqual({
    classes: [],
    joiners: [],
    returners: [],
    movers: [],
    names: [],
    leavers: [],
    differences: [],
    recognised: [],
    questions: [],
    choices: [],
    elsewhere: [],
    rejected: [],
    staff: [],
    missing_staff: [],
    on_hold: null,
  });
});

test('a leaver is archived only when approved: the login ends, and a later file restores the pupil', async () => {
  await applyFile(FILE);
  const gone = { pupils: [ada, tom], classes: CLASSES };
  const id = (await pupilNamed('Ivy Lane'))?.id ?? 0;
  await applyFile(gone);
  expect((await pupilNamed('Ivy Lane'))?.archived_at).toBeNull();
  const { plan } = await applyFile(gone, { leavers: [id] });
  expect(plan.leavers).toMatchObject([{ pupil: id, is_expected: false }]);
  expect((await pupilNamed('Ivy Lane'))?.archived_at).toEqual(new Date(NOW));
  expect((await open(gone)).plan.leavers).toEqual([]);
  const { plan: back } = await applyFile(FILE);
  expect(back.returners).toMatchObject([{ pupil: id, name: 'Ivy Lane' }]);
  expect(await pupilNamed('Ivy Lane')).toMatchObject({ id, archived_at: null });
});

test('a pupil who is not a candidate cannot be archived', async () => {
  await applyFile(FILE);
  const { runId, version } = await open({ pupils: [ada, tom], classes: CLASSES });
  expect((await applyRun(runId, { version, leavers: [school.ownClass.pupils[0]?.id ?? 0] })).status).toBe(404);
  expect(await pupilNamed('Ada Baker')).toMatchObject({ archived_at: null });
});

test('undo restores names, classes and leavers, archives joiners and deletes new classes', async () => {
  await applyFile(FILE);
  const before = await snapshot();
  const ivyId = before.pupils.find(({ name }) => name === 'Ivy Lane')?.id ?? 0;
  const { runId } = await applyFile(
    {
      pupils: [
        { ...ada, given: 'Addie', classes: ['k2'] },
        { ...tom, classes: ['k3'] },
        { id: 'n', given: 'New', family: 'Child', classes: ['k3'] },
      ],
      classes: [{ ...WRENS, title: 'Wrens 4' }, OWLS, { id: 'k3', title: 'Larks' }],
    },
    { leavers: [ivyId], is_confirmed: true },
  );
  expect(await snapshot()).not.toEqual(before);
  const { reply } = await undo(runId);
  expect(reply.skipped).toEqual([]);
  expect(reply.run).toMatchObject({ state: 'undone', undo_until: null });
  const { pupils, classes } = await snapshot();
  expect(classes).toEqual(before.classes);
  expect(pupils.filter(({ name }) => name !== 'New Child')).toEqual(before.pupils);
  expect(pupils.find(({ name }) => name === 'New Child')?.archived_at).toEqual(new Date(NOW));
  expect((await undo(runId)).status).toBe(404);
  const { plan } = await open(FILE);
  expect(plan).toMatchObject({ joiners: [], movers: [], names: [], leavers: [], differences: [], classes: [] });
});

test('whatever a file changes, undoing it restores every pupil, class and link', async () => {
  const pupils = fc.uniqueArray(
    fc.record({
      // Two pupils of the first file, one who is new, and one who is in the school without a source.
      id: fc.constantFrom('a', 't', 'n', 'x'),
      given: fc.constantFrom('Ada', 'Tom', 'Zed'),
      family: fc.constantFrom('Bell', 'Baker'),
      classes: fc.constantFrom([], ['k1'], ['k2'], ['k3']),
    }),
    { selector: ({ id }) => id, minLength: 1 },
  );
  const titles = fc.constantFrom(['Wrens 3', 'Owls 4'], ['Owls 4', 'Wrens 3'], ['Wrens 4', 'Year 3 Wrens']);
  await fc.assert(
    fc.asyncProperty(pupils, titles, async (rows, [first = '', second = '']) => {
      school = await app.build.school({ maxPupils: 40 });
      admin = { token: school.admin.token };
      await applyFile(FILE);
      const before = { ...(await snapshot()), links: await links() };
      const classes = [
        { id: 'k1', title: first },
        { id: 'k2', title: second },
        { id: 'k3', title: 'Larks' },
      ];
      const { runId, version, plan } = await open({ pupils: rows, classes });
      const taken = new Set<number>();
      const merges = plan.questions.flatMap(({ source_id, candidates }) => {
        const same = candidates.find(({ id }) => !taken.has(id));
        if (same) taken.add(same.id);
        return same ? [{ source_id, pupil: same.id }] : [];
      });
      const leavers = plan.leavers.map(({ pupil }) => pupil ?? 0);
      expect((await applyRun(runId, { version, merges, leavers, is_confirmed: true })).status).toBe(200);
      expect((await undo(runId)).reply.skipped).toEqual([]);
      const after = { ...(await snapshot()), links: await links() };
      const known = new Set(before.pupils.map(({ id }) => id));
      // Digests of a leaver are deleted, and pupils whom the file added are archived with their links.
      const plain = (rowsOf: typeof before.links) =>
        rowsOf
          .filter(({ pupil_id: id }) => known.has(id))
          .map(({ upn_digest: _upn, birth_digest: _birth, ...link }) => link);
      expect(after.classes).toEqual(before.classes);
      expect(after.pupils.filter(({ id }) => known.has(id))).toEqual(before.pupils);
      expect(after.pupils.filter(({ id, archived_at: archivedAt }) => !known.has(id) && archivedAt === null)).toEqual(
        [],
      );
      expect(plain(after.links)).toEqual(plain(before.links));
    }),
    { numRuns: 15 },
  );
});

test('undo skips a pupil who was renamed since, and states the reason', async () => {
  await applyFile(FILE);
  const { runId } = await applyFile({
    ...FILE,
    pupils: [{ ...ada, given: 'Addie' }, { ...tom, given: 'Thomas' }, ivy],
  });
  const adaId = (await pupilNamed('Addie Bell'))?.id ?? 0;
  await app.call(pupilCalls.renamePupil, {
    params: { id: school.id, readerId: adaId },
    ...admin,
    body: { name: 'Adelaide Bell' },
  });
  expect((await undo(runId)).reply.skipped).toEqual([{ pupil: adaId, name: 'Adelaide Bell', reason: 'changed' }]);
  expect(await pupilNamed('Tom Price')).toBeDefined();
  expect(await pupilNamed('Adelaide Bell')).toBeDefined();
});

test('undo skips a joiner who has read', async () => {
  const { runId } = await applyFile(FILE);
  const id = (await pupilNamed('Ada Bell'))?.id ?? 0;
  await sql`update pupils set last_read_at = ${new Date(NOW)} where school_id = ${school.id} and id = ${id}`.execute(
    app.database.kysely,
  );
  // The class stays with the pupil.
  expect((await undo(runId)).reply.skipped).toMatchObject([
    { name: 'Ada Bell', reason: 'has_read' },
    { name: 'Wrens 3', reason: 'class_used' },
  ]);
  expect(await pupilNamed('Ada Bell')).toMatchObject({ archived_at: null });
  expect(await pupilNamed('Tom Price')).toMatchObject({ archived_at: new Date(NOW) });
});

test('undo skips a new class to which a pupil archived since would return', async () => {
  const { runId } = await applyFile(FILE);
  const [tomId, ivyId] = [(await pupilNamed('Tom Price'))?.id ?? 0, (await pupilNamed('Ivy Lane'))?.id ?? 0];
  const toArchive = { params: { id: school.id }, ...admin, body: { reader_ids: [tomId, ivyId] } };
  await app.call(archiveCalls.archivePupils, toArchive);
  expect((await undo(runId)).reply.skipped).toMatchObject([
    { name: 'Tom Price', reason: 'changed' },
    { name: 'Ivy Lane', reason: 'changed' },
    { name: 'Owls 4', reason: 'class_used' },
  ]);
  await app.call(archiveCalls.restorePupils, toArchive);
  const { classes } = await snapshot();
  expect((await pupilNamed('Tom Price'))?.class_id).toBe(classes.find(({ name }) => name === 'Owls 4')?.id);
});

test('a run can be undone for 30 days', async () => {
  const { runId } = await applyFile(FILE);
  await continueAt('2026-12-18T11:59:59.000Z');
  const { runs } = (await app.call(runCalls.listRuns, at())).reply;
  expect(runs[0]?.undo_until).toBe('2026-12-18T12:00:00.000Z');
  await continueAt('2026-12-18T12:00:00.000Z');
  expect((await undo(runId)).status).toBe(404);
});

test('erasing a pupil erases the link and what the runs store about the pupil', async () => {
  await applyFile(FILE);
  const id = (await pupilNamed('Ivy Lane'))?.id ?? 0;
  const { runId } = await applyFile({ pupils: [ada, tom], classes: CLASSES }, { leavers: [id] });
  await app.call(archiveCalls.erasePupil, { params: { id: school.id, readerId: id }, ...admin });
  expect((await links()).map(({ external_id }) => external_id)).toEqual(['a', 't']);
  expect((await undo(runId)).reply.skipped).toEqual([]);
  expect(await pupilNamed('Ivy Lane')).toBeUndefined();
});

test('erasing a pupil removes the pupil from a planned run', async () => {
  await applyFile(FILE);
  const id = (await pupilNamed('Ivy Lane'))?.id ?? 0;
  const { runId } = await open(FILE);
  await app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [id] } });
  await app.call(archiveCalls.erasePupil, { params: { id: school.id, readerId: id }, ...admin });
  const rows = await app.database.kysely.selectFrom('run_rows').select('content').where('run_id', '=', runId).execute();
  expect(JSON.stringify(rows)).not.toContain('Ivy');
});

describe('planned runs', () => {
  test('a plan is out of date after a change in the school', async () => {
    await applyFile(FILE);
    const { runId, version } = await open({ ...FILE, pupils: [{ ...ada, given: 'Addie' }, tom, ivy] });
    const id = (await pupilNamed('Ada Bell'))?.id ?? 0;
    await app.call(pupilCalls.renamePupil, {
      params: { id: school.id, readerId: id },
      ...admin,
      body: { name: 'Ada Hart' },
    });
    expect((await applyRun(runId, { version })).status).toBe(409);
    expect(await pupilNamed('Ada Hart')).toBeDefined();
  });

  test('a run is applied once when two admins apply it at the same time', async () => {
    const { runId, version } = await open(FILE);
    const statuses = await Promise.all([applyRun(runId, { version }), applyRun(runId, { version })]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await links()).length).toBe(3);
  });

  test('a later file replaces a planned run, which can be discarded', async () => {
    const first = await open(FILE);
    const second = await open({ pupils: [ada], classes: CLASSES });
    expect((await applyRun(first.runId, { version: first.version })).status).toBe(404);
    expect((await app.call(schoolRecordsCalls.discardSchoolRecordsRun, forRun(second.runId))).status).toBe(200);
    expect((await applyRun(second.runId, { version: second.version })).status).toBe(404);
    expect(
      await app.database.kysely.selectFrom('run_rows').select('position').where('school_id', '=', school.id).execute(),
    ).toEqual([]);
  });

  test('a planned run expires after 30 days, and its content is deleted', async () => {
    const { runId, version } = await open(FILE);
    await continueAt('2026-12-19T12:00:00.000Z');
    await carryOutRetention(app.services);
    expect((await applyRun(runId, { version })).status).toBe(404);
    const { runs } = (await app.call(runCalls.listRuns, at())).reply;
    expect(runs).toMatchObject([{ id: runId, state: 'expired' }]);
    const stored = await app.database.kysely.selectFrom('runs').select('records').where('id', '=', runId).execute();
    expect(stored).toEqual([{ records: null }]);
    expect(
      await app.database.kysely.selectFrom('run_rows').select('position').where('run_id', '=', runId).execute(),
    ).toEqual([]);
  });

  test('a plan that is on hold needs a second confirmation', async () => {
    await applyFile({ pupils: [ada, tom, ivy], classes: CLASSES });
    const { runId, version, plan } = await open({
      pupils: [ada, tom, ivy].map((pupil) => ({ ...pupil, family: 'Renamed' })),
      classes: CLASSES,
    });
    expect(plan.on_hold).toEqual({ reason: 'changed', pupils: 3, total: 3 });
    expect((await applyRun(runId, { version })).error.error).toContain('Many pupils');
    expect(await pupilNamed('Ada Bell')).toBeDefined();
    expect((await applyRun(runId, { version, is_confirmed: true })).status).toBe(200);
  });

  test('a run adds all pupils or none when there are too few places', async () => {
    const many = Array.from({ length: 37 }, (_, index) => ({
      id: `p${index}`,
      given: 'Pupil',
      family: `${String.fromCharCode(65 + (index % 26))}${'x'.repeat(1 + Math.floor(index / 26))}`,
    }));
    const { runId, version } = await open({ pupils: many });
    const { status, error } = await applyRun(runId, { version });
    expect(status).toBe(422);
    expect(error.error).toContain('36');
    expect((await links()).length).toBe(0);
  });
});

test('a pupil added by hand is recognised, and follows the file', async () => {
  const known = school.ownClass.pupils[0];
  const file = { pupils: [{ id: 'x', given: 'Ada', family: 'Baker', classes: ['k2'] }], classes: CLASSES };
  const { runId, version, plan } = await open(file);
  expect(plan.recognised).toMatchObject([{ source_id: 'x', pupil: known?.id, class: 'Year 3 Wrens' }]);
  expect((await applyRun(runId, { version, merges: [{ source_id: 'x', pupil: school.unplaced.id }] })).status).toBe(
    404,
  );
  await applyRun(runId, { version });
  const { pupils, classes } = await snapshot();
  expect(pupils.filter(({ name }) => name === 'Ada Baker')).toEqual([
    {
      id: known?.id,
      name: 'Ada Baker',
      class_id: classes.find(({ name }) => name === 'Owls 4')?.id,
      archived_at: null,
    },
  ]);
});

test('a pupil who is recognised and is another child becomes a new pupil, and the next file asks no more', async () => {
  const file = { pupils: [{ id: 'x', given: 'Ada', family: 'Baker', classes: ['k2'] }], classes: CLASSES };
  await applyFile(file, { merges: [{ source_id: 'x', pupil: null }] });
  const named = (await snapshot()).pupils.filter(({ name }) => name === 'Ada Baker');
  expect(named).toHaveLength(2);
  expect((await links()).map(({ pupil_id }) => pupil_id)).toEqual([named[1]?.id]);
  expect((await open(file)).plan).toMatchObject({ recognised: [], questions: [], joiners: [] });
});

test('erasing a recognised pupil removes their row from the planned run', async () => {
  const known = school.ownClass.pupils[0];
  const { runId } = await open({ pupils: [{ id: 'x', given: 'Ada', family: 'Baker' }], classes: CLASSES });
  const rows = async () =>
    (
      await sql<{ pupil_id: number }>`select pupil_id from run_rows where run_id = ${runId}`.execute(
        app.database.kysely,
      )
    ).rows;
  expect(await rows()).toEqual([{ pupil_id: known?.id }]);
  await app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [known?.id ?? 0] } });
  await app.call(archiveCalls.erasePupil, { params: { id: school.id, readerId: known?.id ?? 0 }, ...admin });
  expect(await rows()).toEqual([]);
});

test('a question without an answer changes nothing, and the answer that the child is new adds a pupil', async () => {
  const pupils = [{ id: 'x', given: 'Ada', family: 'Baker', grade: '05' }, ada];
  await sql`update pupils set year_group = '1', year_group_since = '2026-09-01' where name = 'Ada Baker'`.execute(
    app.database.kysely,
  );
  const file = { pupils, classes: CLASSES };
  await applyFile(file);
  expect((await links()).map(({ external_id }) => external_id)).toEqual(['a']);
  await applyFile(file, { merges: [{ source_id: 'x', pupil: null }] });
  expect((await snapshot()).pupils.filter(({ name }) => name === 'Ada Baker')).toHaveLength(2);
});

test('a transfer file adds and updates pupils, and removes none', async () => {
  const upn = 'B801200005001';
  const pupil = { upn, forename: 'Ada', surname: 'Bell', birth: '2018-03-04', year: '3', className: 'Wrens 3' };
  const otherPupil = { forename: 'Tom', surname: 'Price', birth: '2017-01-02' };
  const { plan } = await applyFile(transferFile([pupil, otherPupil]));
  expect(plan.joiners).toMatchObject([
    { name: 'Ada Bell', class: 'Wrens 3' },
    { name: 'Tom Price', class: null },
  ]);
  const again = await open(transferFile([{ ...pupil, surname: 'Hart' }]));
  expect(again.plan).toMatchObject({ names: [{ name: 'Ada Hart', from: 'Ada Bell' }], joiners: [], leavers: [] });
  const stored = await sql<{ row: string }>`
    select l::text as row from school_records_pupils l union all select r::text from run_rows r
    union all select r::text from runs r`.execute(app.database.kysely);
  const text = JSON.stringify(stored.rows);
  for (const canary of [upn, '2018-03-04', 'CANARY']) expect(text).not.toContain(canary);
});

test('a pupil of one source is left alone by another', async () => {
  await applyFile({ pupils: [{ ...ada, upn: 'B801200005001' }], classes: CLASSES });
  const before = await snapshot();
  const { plan } = await applyFile(
    transferFile([
      { upn: 'B801200005001', forename: 'Addie', surname: 'Bell', birth: '2018-03-04', className: 'Owls 4' },
    ]),
  );
  expect(plan).toMatchObject({ joiners: [], names: [], movers: [], elsewhere: [{ name: 'Addie Bell' }] });
  expect(await snapshot()).toEqual(before);
});

test('the digest of a UPN is deleted when the pupil leaves', async () => {
  await applyFile({ pupils: [{ ...ada, upn: 'B801200005001' }], classes: CLASSES });
  expect((await links())[0]).toMatchObject({ upn_digest: expect.any(Buffer), birth_digest: expect.any(Buffer) });
  const id = (await pupilNamed('Ada Bell'))?.id ?? 0;
  await app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [id] } });
  expect((await links())[0]).toMatchObject({ upn_digest: null, birth_digest: null });
});

test('staff are invited only when chosen', async () => {
  const file = {
    ...FILE,
    staff: [
      { id: 's1', given: 'Jo', family: 'Reed', email: 'jo.reed@oak.example' },
      { id: 's2', given: 'Al', family: 'Fox', email: 'al.fox@oak.example' },
    ],
  };
  const { plan } = await applyFile(file, { invites: ['jo.reed@oak.example', 'stranger@oak.example'] });
  expect(plan.staff.map(({ email }) => email)).toEqual(['jo.reed@oak.example', 'al.fox@oak.example']);
  const { invites } = (await app.call(inviteCalls.listInvites, at())).reply;
  expect(invites.map(({ email, role }) => [email, role])).toEqual([['jo.reed@oak.example', 'teacher']]);
  expect((await open(file)).plan.staff.map(({ email }) => email)).toEqual(['al.fox@oak.example']);
});

test('removing a source keeps pupils and classes', async () => {
  await applyFile(FILE);
  const before = await snapshot();
  const { sources } = (await app.call(schoolRecordsCalls.getSchoolRecords, at())).reply;
  expect(sources).toMatchObject([{ kind: 'oneroster', pupils: 3, classes: 2 }]);
  const params = { id: school.id, sourceId: sources[0]?.id ?? 0 };
  expect((await app.call(schoolRecordsCalls.removeSchoolRecordsSource, { ...admin, params })).status).toBe(200);
  expect(await snapshot()).toEqual(before);
  expect(await links()).toEqual([]);
  expect((await app.call(schoolRecordsCalls.removeSchoolRecordsSource, { ...admin, params })).status).toBe(404);
});

test('removing a source discards its planned run, and its applied runs can still be undone', async () => {
  const { runId } = await applyFile(FILE);
  const planned = await open({ pupils: [ada], classes: CLASSES });
  const { sources } = (await app.call(schoolRecordsCalls.getSchoolRecords, at())).reply;
  await app.call(schoolRecordsCalls.removeSchoolRecordsSource, {
    ...admin,
    params: { id: school.id, sourceId: sources[0]?.id ?? 0 },
  });
  expect((await applyRun(planned.runId, { version: planned.version })).status).toBe(404);
  expect((await undo(runId)).reply.skipped).toEqual([]);
  expect(await pupilNamed('Ada Bell')).toMatchObject({ archived_at: new Date(NOW) });
});

test('a run of another school is not found', async () => {
  const { runId } = await open(FILE);
  const otherSchool = await app.build.school();
  const call = { params: { id: otherSchool.id, runId }, token: otherSchool.admin.token };
  expect((await app.call(schoolRecordsCalls.getSchoolRecordsRun, call)).status).toBe(404);
  expect((await app.call(schoolRecordsCalls.applySchoolRecordsRun, { ...call, body: { version: 'x' } })).status).toBe(
    404,
  );
});

test('a new pupil can log in with the password of the login sheet alone', async () => {
  await applyFile(FILE);
  const { reply } = await app.call(pupilCalls.listPupils, { ...at(), query: { search: 'Ivy' } });
  const { status } = await app.call(readingAppCalls.logInPupil, {
    body: { username: reply.readers[0]?.username ?? '', password: PASSWORD },
  });
  expect(status).toBe(401);
});

test('a class that was renamed in the portal keeps its name', async () => {
  await applyFile(FILE);
  const { classes } = await snapshot();
  const classId = classes.find(({ name }) => name === 'Wrens 3')?.id ?? 0;
  await app.call(classCalls.renameClass, {
    params: { id: school.id, groupId: classId },
    ...admin,
    body: { name: 'Wonderful Wrens' },
  });
  const { plan } = await open({ ...FILE, classes: [{ ...WRENS, title: 'Wrens 4' }, OWLS] });
  expect(plan.classes).toEqual([]);
  expect(plan.differences).toMatchObject([{ field: 'class_name', here: 'Wonderful Wrens', there: 'Wrens 4' }]);
});
