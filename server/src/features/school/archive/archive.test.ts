import { archiveCalls } from '#contract/calls/archive.ts';
import { CHART_NAMES, chartCalls } from '#contract/calls/charts.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { checkInvariants } from '../../../database/invariants.queries.ts';
import { inPlatform } from '../../../database/platform.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, makeSession, PASSWORD } from '../../../testing/builder.ts';
import { carryOutRetention } from '../../privacy/retention/retention.public.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
type Pupil = BuiltSchool['unplaced'];

const NOW = '2026-11-18T12:00:00.000Z';
beforeEach(async () => {
  app.setTime(NOW);
  school = await app.build.school();
  admin = { token: school.admin.token };
});

const at = () => ({ params: { id: school.id }, ...admin });
const archive = (ids: number[], who = admin) =>
  app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: ids }, ...who });
const restore = (ids: number[]) => app.call(archiveCalls.restorePupils, { ...at(), body: { reader_ids: ids } });
const remove = (id: number) => app.call(classMembershipCalls.deletePupil, { params: { readerId: id }, ...admin });
const archived = async () => (await app.call(archiveCalls.listArchive, at())).reply.readers;
const logIn = (username: string) => app.call(readingAppCalls.logInPupil, { body: { username, password: PASSWORD } });

/** Everything that staff can see of a school: pupils, classes, free places, charts. */
async function readStaffView() {
  const charts = [];
  for (const name of CHART_NAMES)
    for (const scope of [{}, { group_id: String(school.ownClass.id) }]) {
      const query = { name, start_date: '2026-11-01', end_date: '2026-11-18', ...scope };
      charts.push((await app.call(chartCalls.getChart, { query, ...admin })).reply);
    }
  const classAt = { params: { id: school.id, groupId: school.ownClass.id }, ...admin };
  const { users: _, ...whole } = (await app.call(schoolCalls.getSchool, { ...at(), query: { include: 'readers' } }))
    .reply.enterprise;
  return {
    charts,
    school: whole,
    class: (await app.call(classCalls.getClass, classAt)).reply,
    pupils: (await app.call(pupilCalls.listPupils, at())).reply,
    unplaced: (await app.call(pupilCalls.listPupils, { ...at(), query: { groups: 'none' } })).reply,
    found: (await app.call(pupilCalls.listPupils, { ...at(), query: { search: 'wilf' } })).reply,
    capacity: (await app.call(pupilImportCalls.previewPupils, { ...at(), body: { readers: [] } })).reply.capacity,
  };
}

/** Adds a pupil with reading on days and levels that other pupils share, and on some that they do not. */
async function addWilf(): Promise<Pupil> {
  const [pupil] = await app.build.pupils(school, school.ownClass.id, ['Wilf Archer']);
  if (!pupil) throw new Error('No pupil was created.');
  await app.build.reading(school, pupil.id, [
    { started_at: '2026-11-16T10:00:00Z', has_completed_book: true, last_page: 9 },
    { started_at: '2026-11-17T10:00:00Z', book_id: 205 },
  ]);
  return pupil;
}

test('an archived pupil disappears from every list and total, and a restored one returns to all of them', async () => {
  const [ada] = school.ownClass.pupils as [Pupil];
  await app.build.reading(school, ada.id, [{ started_at: '2026-11-16T09:00:00Z' }]);
  const without = await readStaffView();
  const wilf = await addWilf();
  const withWilf = await readStaffView();
  expect(withWilf).not.toEqual(without);

  expect((await remove(wilf.id)).status).toBe(200);
  expect(await readStaffView()).toEqual(without);
  const rules = await inPlatform(app.database, checkInvariants);
  expect(rules.filter(({ rule }) => rule.includes('daily totals')).map(({ breaches }) => breaches)).toEqual([[], []]);
  expect(await archived()).toEqual([
    {
      id: wilf.id,
      name: 'Wilf Archer',
      username: wilf.username,
      group: { id: school.ownClass.id, name: 'Year 3 Wrens' },
      archived_at: NOW,
      archived_by: { id: school.admin.id, name: 'Morgan Admin' },
      erased_at: '2026-12-18T12:00:00.000Z',
    },
  ]);
  expect((await remove(wilf.id)).status).toBe(404);

  expect((await restore([wilf.id])).status).toBe(200);
  expect(await readStaffView()).toEqual(withWilf);
  expect(await archived()).toEqual([]);
  expect((await logIn(wilf.username)).status).toBe(200);
  expect((await restore([wilf.id])).status).toBe(404);
  const log = (await app.call(schoolCalls.listAuditLog, at())).reply.entries;
  expect(log.map(({ action, pupils }) => [action, pupils?.first])).toEqual([
    ['pupils_restored', [{ id: wilf.id, name: 'Wilf Archer' }]],
    ['pupils_archived', [{ id: wilf.id, name: 'Wilf Archer' }]],
  ]);
});

test('the login of an archived pupil explains the rejection, but only for the correct password', async () => {
  const wilf = await addWilf();
  await archive([wilf.id]);
  const { status, error } = await logIn(wilf.username);
  expect({ status, code: error.code, text: error.error }).toEqual({
    status: 401,
    code: 'archived',
    text: 'This login is switched off. Ask your teacher.',
  });
  const guessed = await app.call(readingAppCalls.logInPupil, {
    body: { username: wilf.username, password: 'guessed' },
  });
  expect(guessed.error.code).toBeUndefined();
  // A device that is still logged in can send no more sessions.
  const late = await app.call(readingAppCalls.storeSessions, {
    token: wilf.token,
    body: { sessions: [makeSession({ started_at: '2026-11-18T10:00:00Z' })] },
  });
  expect(late.status).toBe(401);
});

test('an archived pupil can only be restored or erased', async () => {
  const wilf = await addWilf();
  await archive([wilf.id]);
  const here = { id: school.id, readerId: wilf.id };
  const into = (classId: number) => ({ id: school.id, groupId: classId });
  const tries = [
    app.call(pupilCalls.getPupil, { params: here, ...admin }),
    app.call(pupilCalls.renamePupil, { params: here, body: { name: 'Someone Else' }, ...admin }),
    app.call(loginCardCalls.resetPasswords, { ...at(), body: { reader_ids: [wilf.id] } }),
    app.call(classMembershipCalls.movePupils, {
      params: into(school.otherClass.id),
      body: { reader_ids: [wilf.id], source: null },
      ...admin,
    }),
    app.call(pupilImportCalls.addPupilsToClass, {
      params: into(school.ownClass.id),
      body: { readers: { existing: [wilf.id], new: [] } },
      ...admin,
    }),
  ];
  expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(tries.map(() => 404));
  expect(await archived()).toMatchObject([{ name: 'Wilf Archer' }]);
});

test('a call for several pupils is rejected with the IDs of those who have been archived', async () => {
  const [ada] = school.ownClass.pupils as [Pupil];
  const wilf = await addWilf();
  await archive([wilf.id]);
  const body = { reader_ids: [ada.id, wilf.id] };
  const move = { params: { id: school.id, groupId: school.otherClass.id }, ...admin };
  const tries = await Promise.all([
    archive(body.reader_ids),
    app.call(loginCardCalls.resetPasswords, { ...at(), body }),
    app.call(classMembershipCalls.removePupilsFromClasses, { ...at(), body }),
    app.call(classMembershipCalls.movePupils, { ...move, body: { ...body, source: school.ownClass.id } }),
    app.call(pupilImportCalls.addPupilsToClass, {
      ...move,
      body: { readers: { existing: body.reader_ids, new: [] } },
    }),
  ]);
  expect(tries.map(({ status, reply }) => [status, reply])).toEqual(
    tries.map(() => [404, expect.objectContaining({ reader_ids: [wilf.id] })]),
  );
  const restored = await restore(body.reader_ids);
  expect([restored.status, restored.reply]).toEqual([404, expect.objectContaining({ reader_ids: [ada.id] })]);
});

test('pupils are archived together or not at all, and only by an admin of their school', async () => {
  const [ada, zoe] = school.ownClass.pupils as [Pupil, Pupil];
  const otherSchool = await app.build.school();
  expect((await archive([ada.id, otherSchool.unplaced.id])).status).toBe(404);
  expect((await archive([ada.id], { token: school.teacher.token })).status).toBe(403);
  expect(await archived()).toEqual([]);
  await archive([ada.id, zoe.id]);
  expect(await archived()).toHaveLength(2);
  expect((await restore([ada.id, otherSchool.unplaced.id])).status).toBe(404);
  expect(await archived()).toHaveLength(2);
});

test('a pupil whose class was deleted is restored without one, and no pupil without a free place', async () => {
  const [ada] = school.ownClass.pupils as [Pupil];
  await archive([ada.id]);
  await app.call(classCalls.removeClass, { params: { id: school.id, groupId: school.ownClass.id }, ...admin });
  const fill = (max: number) =>
    app.database.kysely
      .updateTable('subscriptions')
      .set({ max_readers: max })
      .where('school_id', '=', school.id)
      .execute();
  await fill(3);
  const { status, error } = await restore([ada.id]);
  expect({ status, code: error.code }).toEqual({ status: 422, code: 'max-readers-reached:admin:0' });
  await fill(4);
  expect((await restore([ada.id])).status).toBe(200);
  const found = await app.call(pupilCalls.getPupil, { params: { id: school.id, readerId: ada.id }, ...admin });
  expect(found.reply.reader.group).toBe(null);
});

test('a pupil is erased with all their reading, after 30 days or on request', async () => {
  const wilf = await addWilf();
  const [ada] = school.ownClass.pupils as [Pupil];
  await app.build.assign(school, { pupilId: wilf.id }, [101]);
  await archive([wilf.id]);
  const before = await readStaffView();
  app.setTime('2026-12-18T11:59:59.999Z');
  await carryOutRetention(app.services);
  expect(await archived()).toHaveLength(1);
  app.setTime('2026-12-18T12:00:00.000Z');
  await archive([ada.id]);
  await carryOutRetention(app.services);
  expect((await archived()).map(({ id }) => id)).toEqual([ada.id]);
  for (const table of ['reading_sessions', 'reading_days', 'book_completions', 'pupil_books', 'pupil_logins'] as const)
    expect(
      await app.database.kysely.selectFrom(table).select('school_id').where('pupil_id', '=', wilf.id).execute(),
    ).toEqual([]);
  app.setTime(NOW);
  await restore([ada.id]);
  expect(await readStaffView()).toEqual(before);

  const erase = (id: number) =>
    app.call(archiveCalls.erasePupil, { params: { id: school.id, readerId: id }, ...admin });
  expect((await erase(ada.id)).status).toBe(404);
  await archive([ada.id]);
  expect((await erase(ada.id)).status).toBe(200);
  expect(await archived()).toEqual([]);
});

test('a school whose pupils cannot be erased stops no other school, and the job fails with its error', async () => {
  const otherSchool = await app.build.school();
  const [stuckId, otherId] = [school, otherSchool].map(({ ownClass }) => ownClass.pupils[0]?.id ?? 0) as [
    number,
    number,
  ];
  await archive([stuckId]);
  await app.call(archiveCalls.archivePupils, {
    params: { id: otherSchool.id },
    token: otherSchool.admin.token,
    body: { reader_ids: [otherId] },
  });
  const raw = (text: string) => sql.raw(text).execute(app.database.kysely);
  await raw(
    `create function fail_erasure() returns trigger language plpgsql as 'begin if old.id = ${stuckId} then raise ''no''; end if; return old; end'`,
  );
  await raw('create trigger fail_erasure before delete on pupils for each row execute function fail_erasure()');
  const listLeft = async () =>
    (await app.database.kysely.selectFrom('pupils').select('id').where('id', 'in', [stuckId, otherId]).execute()).map(
      ({ id }) => id,
    );
  app.setTime('2026-12-18T12:00:00.000Z');
  await expect(carryOutRetention(app.services)).rejects.toMatchObject({ errors: [{ errors: [{ message: 'no' }] }] });
  expect(await listLeft()).toEqual([stuckId]);
  await raw('drop function fail_erasure cascade');
  await carryOutRetention(app.services);
  expect(await listLeft()).toEqual([]);
});

test('archiving ends the pupil’s sessions, and restoring does not reopen them', async () => {
  const [ada] = school.ownClass.pupils;
  const books = () => app.call(readingAppCalls.listPupilBooks, { token: ada?.token ?? '' });
  expect((await books()).status).toBe(200);
  await archive([ada?.id ?? 0]);
  expect((await books()).status).toBe(401);
  const { rows } = await sql<{ n: number }>`select count(*) as n from sessions
    where school_id = ${school.id} and pupil_id = ${ada?.id}`.execute(app.database.kysely);
  expect(rows[0]?.n).toBe(0);
  await restore([ada?.id ?? 0]);
  expect((await books()).status).toBe(401);
});

test('a pupil whom six concurrent requests archive is subtracted from the totals once', async () => {
  const [ada] = school.ownClass.pupils;
  const id = ada?.id ?? 0;
  await app.build.reading(school, id, [{ started_at: '2026-11-16T10:00:00Z' }]);
  const answers = await Promise.all(Array.from({ length: 6 }, () => archive([id])));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
  const findings = await inPlatform(app.database, checkInvariants);
  expect(findings.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
});
