import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessCalls } from '#contract/calls/access.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { schoolClosingCalls } from '#contract/calls/school-closing.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { backUp } from '../../../backups/backup.ts';
import { restore } from '../../../backups/restore.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { dumpDatabase } from '../../../testing/dump.ts';
import { makeRestoreTarget } from '../../../testing/restore-target.ts';
import { readErasureList, reapplyErasures } from './erasure.public.ts';

const folder = mkdtempSync(join(tmpdir(), 'reapply-'));
const app = testApp({ BACKUP_DIR: folder });
afterAll(() => rmSync(folder, { recursive: true }));

const CANARY = /quaglino|xanthippe/i;

test('a backup that contains people erased since is restored without them, and with everyone else', async () => {
  const school = await app.build.school();
  const { token } = school.admin;
  const params = { id: school.id };
  const [pupil, other] = await app.build.pupils(school, school.ownClass.id, ['Xanthippe Quaglino', 'Otto Otter']);
  await app.build.reading(school, pupil!.id, [{ started_at: '2026-11-16T09:00:00Z', skipped_words: ['quaglino'] }]);
  await app.database.kysely
    .updateTable('users')
    .set({ last_name: 'Quaglino' })
    .where('id', '=', school.teacher.id)
    .execute();
  const path = join(folder, 'before.backup');
  await backUp(app.database, path, app.services.clock.now());

  await app.call(archiveCalls.archivePupils, { token, params, body: { reader_ids: [pupil!.id] } });
  await app.call(archiveCalls.erasePupil, { token, params: { ...params, readerId: pupil!.id } });
  const userId = school.teacher.id;
  await app.call(teacherCalls.removeTeacher, { token, params: { ...params, userId } });
  expect((await app.call(privacyCalls.eraseFormerMember, { token, params: { ...params, userId } })).status).toBe(200);
  await app.runJobs();
  const listed = await readErasureList(folder);
  expect(listed.map(({ kind, schoolId }) => [kind, schoolId]).sort()).toEqual([
    ['pupil', school.id],
    ['staff', school.id],
  ]);
  const target = await makeRestoreTarget(folder);
  const { config, clock } = app.services;
  const restored = await restore(target.databaseUrl, path, {
    reapplyErasures: (database) => reapplyErasures(database, config, listed, clock.now()),
  });
  expect(restored.erasedAgain).toBe(2);
  expect(restored.findings.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
  const database = await target.open();
  const rows = (await dumpDatabase(database)).split('\n');
  const names = await database.kysely.selectFrom('pupils').select('name').where('id', '=', other!.id).execute();
  await database.close();
  await target.remove();
  expect(rows.filter((row) => CANARY.test(row))).toEqual([]);
  expect(names).toEqual([{ name: 'Otto Otter' }]);
});

test('a pupil who has the ID of someone erased, but was created later, is not erased', async () => {
  const school = await app.build.school();
  const [pupil] = await app.build.pupils(school, school.ownClass.id, ['Vera Later']);
  const { token } = school.admin;
  const params = { id: school.id };
  await app.call(archiveCalls.archivePupils, { token, params, body: { reader_ids: [pupil!.id] } });
  await app.call(archiveCalls.erasePupil, { token, params: { ...params, readerId: pupil!.id } });
  await app.runJobs();
  const row = { school_id: school.id, id: pupil!.id, name: 'Next One', name_key: 'next one', username: 'next-one' };
  await app.database.kysely
    .insertInto('pupils')
    .values({ ...row, password_hash: '-', class_id: null, created_at: new Date('2026-11-19T09:00:00Z') })
    .execute();
  const { config, clock, database } = app.services;
  expect(await reapplyErasures(database, config, await readErasureList(folder), clock.now())).toBe(0);
});

test('a school that was erased since is erased again when a backup is restored, and only once', async () => {
  const school = await app.build.school();
  const second = await app.build.staff(school, 'admin');
  await app.build.pupils(school, school.ownClass.id, ['Xanthippe Quaglino']);
  const other = await app.build.school();
  const path = join(folder, 'before-closing.backup');
  await backUp(app.database, path, app.services.clock.now());
  const params = { id: school.id };
  await app.call(schoolClosingCalls.requestClosing, { params, token: school.admin.token });
  await app.call(schoolClosingCalls.confirmClosing, { params, token: second.token });
  app.setTime('2026-12-18T12:00:00.000Z');
  await app.runJobs({ scheduled: true });
  const listed = await readErasureList(folder);
  expect(listed.at(-1)).toMatchObject({ kind: 'school', schoolId: school.id });
  const { config, clock } = app.services;
  const target = await makeRestoreTarget(folder);
  const restored = await restore(target.databaseUrl, path, {
    reapplyErasures: (database) => reapplyErasures(database, config, listed, clock.now()),
  });
  expect(restored.erasedAgain).toBe(1);
  expect(restored.findings.filter(({ breaches }) => breaches.includes(`school ${school.id}`))).toEqual([]);
  const database = await target.open();
  expect((await dumpDatabase(database)).split('\n').filter((row) => CANARY.test(row))).toEqual([]);
  expect(await reapplyErasures(database, config, listed, clock.now())).toBe(0);
  const schools = await database.kysely
    .selectFrom('pupils')
    .select('school_id')
    .distinct()
    .where('school_id', 'in', [school.id, other.id])
    .execute();
  await database.close();
  await target.remove();
  expect(schools).toEqual([{ school_id: other.id }]);
});

test('a restore that erases someone for a former school leaves them at the school that they work at in the backup', async () => {
  const [first, second] = [await app.build.school(), await app.build.school()];
  const { teacher } = first;
  const removeFrom = ({ id, admin }: BuiltSchool) =>
    app.call(teacherCalls.removeTeacher, { params: { id, userId: teacher.id }, token: admin.token });
  const joinSchool = async ({ id, admin }: BuiltSchool) => {
    const { link } = await app.build.invite({ id, admin }, teacher.email);
    const { reply } = await app.call(accessCalls.logIn, { body: { email: teacher.email, password: PASSWORD } });
    await app.call(inviteCalls.acceptInvite, { token: reply.meta.token, params: { inviteId: link } });
  };
  await removeFrom(first);
  await joinSchool(second);
  const path = join(folder, 'two-schools.backup');
  await backUp(app.database, path, app.services.clock.now());
  await removeFrom(second);
  const erase = { params: { id: first.id, userId: teacher.id }, token: first.admin.token };
  expect((await app.call(privacyCalls.eraseFormerMember, erase)).status).toBe(200);
  await app.runJobs();
  const listed = (await readErasureList(folder)).filter(({ schoolId }) => schoolId === first.id);
  expect(listed).toHaveLength(1);
  const target = await makeRestoreTarget(folder);
  const { config, clock } = app.services;
  const restored = await restore(target.databaseUrl, path, {
    reapplyErasures: (database) => reapplyErasures(database, config, listed, clock.now()),
  });
  expect(restored.erasedAgain).toBe(1);
  const database = await target.open();
  const { rows } = await sql`
    select u.school_id as school, s.school_id as membership, s.role
    from user_schools u left join staff s on s.user_id = u.user_id
    where u.user_id = ${teacher.id}`.execute(database.kysely);
  await database.close();
  await target.remove();
  expect(rows).toEqual([{ school: second.id, membership: second.id, role: 'teacher' }]);
});

test('a person erased while a backup was being made is not in the database that is restored from it', async () => {
  const school = await app.build.school();
  const [pupil] = await app.build.pupils(school, school.ownClass.id, ['Xanthippe Quaglino']);
  const at = { token: school.admin.token, params: { id: school.id } };
  const path = join(folder, 'meanwhile.backup');
  await app.call(archiveCalls.archivePupils, { ...at, body: { reader_ids: [pupil!.id] } });
  const [, erased] = await Promise.all([
    backUp(app.database, path, app.services.clock.now()),
    app.call(archiveCalls.erasePupil, { ...at, params: { ...at.params, readerId: pupil!.id } }),
  ]);
  expect(erased.status).toBe(200);
  await app.runJobs();
  const target = await makeRestoreTarget(folder);
  const { config, clock } = app.services;
  const listed = await readErasureList(folder);
  await restore(target.databaseUrl, path, {
    reapplyErasures: (database) => reapplyErasures(database, config, listed, clock.now()),
  });
  const database = await target.open();
  const rows = (await dumpDatabase(database)).split('\n');
  await database.close();
  await target.remove();
  expect(rows.filter((row) => CANARY.test(row))).toEqual([]);
});
