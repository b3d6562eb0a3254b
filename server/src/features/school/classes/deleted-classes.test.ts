import { runCalls } from '#contract/calls/runs.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { bookCalls } from '#contract/calls/books.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { deletedClassCalls } from '#contract/calls/deleted-classes.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { type YearEndStep, yearEndCalls } from '#contract/calls/year-end.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { carryOutRetention } from '../../privacy/retention/retention.public.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
let teacher: { token: string };
type Pupil = BuiltSchool['unplaced'];
let ada: Pupil;
let zoe: Pupil;

const NOW = '2026-11-18T12:00:00.000Z';
const NOTHING = { pupils_moved: 0, pupils_archived: 0, teachers: 0, books: 0 };

beforeEach(async () => {
  app.setTime(NOW);
  school = await app.build.school();
  admin = { token: school.admin.token };
  teacher = { token: school.teacher.token };
  [ada, zoe] = school.ownClass.pupils as [Pupil, Pupil];
});

const at = () => ({ params: { id: school.id }, ...admin });
const inClass = (classId = school.ownClass.id) => ({ params: { id: school.id, groupId: classId } });
const remove = (classId = school.ownClass.id, who = admin) =>
  app.call(classCalls.removeClass, { ...inClass(classId), ...who });
const restore = (classId = school.ownClass.id, who = admin) =>
  app.call(deletedClassCalls.restoreClass, { ...inClass(classId), ...who });
const listDeleted = async (who = admin) =>
  (await app.call(deletedClassCalls.listDeletedClasses, { ...at(), ...who })).reply.groups;
const rename = (name: string, classId = school.ownClass.id) =>
  app.call(classCalls.renameClass, { ...inClass(classId), ...admin, body: { name } });
const addTeacher = (userId: number) =>
  app.call(classCalls.addClassTeacher, { params: { ...inClass().params, userId }, ...admin });
const move = (pupil: Pupil, source: number | null, target: number) =>
  app.call(classMembershipCalls.movePupils, {
    ...inClass(target),
    ...admin,
    body: { reader_ids: [pupil.id], source },
  });
const archive = ({ id }: Pupil) => app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [id] } });
const unarchive = ({ id }: Pupil) => app.call(archiveCalls.restorePupils, { ...at(), body: { reader_ids: [id] } });

/** The school as staff see it, with every class and pupil. */
async function readSchool() {
  const {
    groups: classes,
    readers: pupils,
    setup,
  } = (await app.call(schoolCalls.getSchool, { ...at(), query: { include: 'readers' } })).reply.enterprise;
  return { classes, setup, pupils };
}
/** The name of each pupil's class. */
async function classOf({ id }: Pupil): Promise<string | null | undefined> {
  const pupil = (await readSchool()).pupils?.find((found) => found.id === id);
  return pupil && (pupil.group?.name ?? null);
}
/** The number of rows about deleted classes. */
async function countStored(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from deleted_classes) + (select count(*) from deleted_class_pupils)
      + (select count(*) from deleted_class_teachers) as n`.execute(app.database.kysely);
  return rows[0]?.n ?? 0;
}

describe('restored classes', () => {
  test('a restored class has its ID, name, pupils, teachers in their order, and books, as before the deletion', async () => {
    const more = [await app.build.staff(school, 'teacher'), await app.build.staff(school, 'teacher')];
    for (const { id } of more) {
      app.setTime(NOW);
      await addTeacher(id);
    }
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 204]);
    await app.build.assign(school, { pupilId: ada.id }, [305]);
    const before = await readSchool();
    const booksOfAda = async () => (await app.call(readingAppCalls.listPupilBooks, { token: ada.token })).reply;
    const library = async () =>
      (await app.call(bookCalls.listBooksForPupil, { params: { id: school.id, readerId: ada.id }, ...admin })).reply;
    const [booksBefore, libraryBefore] = [await booksOfAda(), await library()];

    expect((await remove()).status).toBe(200);
    expect((await readSchool()).classes.map(({ name }) => name)).toEqual(['Year 5 Swifts']);
    expect(await booksOfAda()).not.toEqual(booksBefore);
    expect(await listDeleted()).toEqual([
      {
        id: school.ownClass.id,
        name: 'Year 3 Wrens',
        readers_count: 2,
        deleted_at: NOW,
        deleted_by: { id: school.admin.id, name: 'Morgan Admin' },
        erased_at: '2026-12-18T12:00:00.000Z',
      },
    ]);

    const { reply } = await restore();
    expect(reply).toEqual({
      group: before.classes.find(({ id }) => id === school.ownClass.id),
      former_name: null,
      missing: NOTHING,
    });
    expect(await readSchool()).toEqual(before);
    expect(await booksOfAda()).toEqual(booksBefore);
    expect(await library()).toEqual(libraryBefore);
    expect(await listDeleted()).toEqual([]);
    expect(await countStored()).toBe(0);
    const log = (await app.call(schoolCalls.listAuditLog, at())).reply.entries;
    expect(log.slice(0, 2).map(({ action, details }) => [action, details])).toEqual([
      ['class_restored', { name: 'Year 3 Wrens', pupils: 2 }],
      ['class_deleted', { name: 'Year 3 Wrens', pupils: 2 }],
    ]);
  });

  test('a restored class lacks pupils who were moved to another class, teachers who left, and withdrawn books', async () => {
    const second = await app.build.staff(school, 'teacher');
    await addTeacher(second.id);
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 204]);
    await remove();
    await move(ada, null, school.otherClass.id);
    await app.call(teacherCalls.removeTeacher, { params: { id: school.id, userId: school.teacher.id }, ...admin });
    await sql`update books set withdrawn_at = ${NOW} where id = 204`.execute(app.database.kysely);

    const { reply } = await restore();
    expect(reply.missing).toEqual({ pupils_moved: 1, pupils_archived: 0, teachers: 1, books: 1 });
    expect(reply.group).toMatchObject({ readers_count: 1, assigned_book_count: 1, manager_id: second.id });
    expect(reply.group.teachers.map(({ id }) => id)).toEqual([second.id]);
    expect([await classOf(ada), await classOf(zoe)]).toEqual(['Year 5 Swifts', 'Year 3 Wrens']);
    await sql`update books set withdrawn_at = null where id = 204`.execute(app.database.kysely);
  });

  test('a pupil who was moved to a class that was deleted later returns with that class, not with the earlier one', async () => {
    await remove();
    await move(ada, null, school.otherClass.id);
    app.setTime('2026-11-18T12:01:00.000Z');
    await remove(school.otherClass.id);
    expect((await restore()).reply.missing).toEqual({ ...NOTHING, pupils_moved: 1 });
    expect([await classOf(ada), await classOf(zoe)]).toEqual([null, 'Year 3 Wrens']);
    expect((await restore(school.otherClass.id)).reply.missing).toEqual(NOTHING);
    expect(await classOf(ada)).toBe('Year 5 Swifts');
  });

  test('a restored class gets a pupil back from the archive, whether archived before the class was deleted or after', async () => {
    await archive(ada);
    await remove();
    await archive(zoe);
    await unarchive(ada);
    expect(await classOf(ada)).toBe(null);
    expect((await restore()).reply.missing).toEqual({ ...NOTHING, pupils_archived: 1 });
    expect([await classOf(ada), await classOf(zoe)]).toEqual(['Year 3 Wrens', undefined]);
    await unarchive(zoe);
    expect(await classOf(zoe)).toBe('Year 3 Wrens');
  });

  test('a restored class has the first free number after its name if other classes have the name', async () => {
    const long = 'x'.repeat(100);
    await rename(long);
    await remove();
    await rename(long, school.otherClass.id);
    const first = (await restore()).reply;
    expect(first).toMatchObject({ group: { name: `${'x'.repeat(96)} (2)` }, former_name: long });
    await rename('Maple');
    await remove();
    await rename('MAPLE', school.otherClass.id);
    await app.call(classCalls.createClass, { ...at(), body: { name: 'Maple (2)' } });
    expect((await restore()).reply).toMatchObject({ group: { name: 'Maple (3)' }, former_name: 'Maple' });
    const log = (await app.call(schoolCalls.listAuditLog, at())).reply.entries;
    expect(log[0]?.details).toEqual({ name: 'Maple (3)', former: 'Maple', pupils: 2 });
  });

  test('a restored class is linked to the school’s records again, unless these have another class for it by now', async () => {
    const link = (classId: number, externalId: string) =>
      sql`insert into school_records_classes (school_id, source_id, external_id, class_id, name)
        values (${school.id}, 1, ${externalId}, ${classId}, 'Wrens')`.execute(app.database.kysely);
    const listLinks = async () =>
      (
        await sql`select external_id, class_id from school_records_classes where school_id = ${school.id}`.execute(
          app.database.kysely,
        )
      ).rows;
    await sql`insert into school_records_sources (school_id, id, kind, created_at)
      values (${school.id}, 1, 'oneroster', ${NOW})`.execute(app.database.kysely);
    await link(school.ownClass.id, 'k-1');
    await remove();
    expect(await listLinks()).toEqual([]);
    await restore();
    expect(await listLinks()).toEqual([{ external_id: 'k-1', class_id: school.ownClass.id }]);
    await remove();
    await link(school.otherClass.id, 'k-1');
    expect((await restore()).status).toBe(200);
    expect(await listLinks()).toEqual([{ external_id: 'k-1', class_id: school.otherClass.id }]);
  });

  test('undoing a year end renames a restored class that the year end moved, and no other', async () => {
    const up = (classId: number, from: string, name: string): YearEndStep => ({
      step: 'moves_up',
      group_id: classId,
      from,
      name,
      manager_id: null,
    });
    await remove();
    const steps = [up(school.otherClass.id, 'Year 5 Swifts', 'Year 3 Wrens')];
    const { reply } = await app.call(yearEndCalls.applyYearEnd, { ...at(), body: { classes: steps } });
    expect((await restore()).reply.group.name).toBe('Year 3 Wrens (2)');
    await remove(school.otherClass.id);
    await restore(school.otherClass.id);
    const params = { id: school.id, runId: reply.year_end.id };
    expect((await app.call(runCalls.undoRun, { params, ...admin })).status).toBe(200);
    expect((await readSchool()).classes.map(({ name }) => name)).toEqual(['Year 3 Wrens (2)', 'Year 5 Swifts']);
  });
});

describe('deleted classes', () => {
  test('a deleted class is listed for and restored by admins and the teacher who deleted it, and hidden from others', async () => {
    const colleague = { token: (await app.build.staff(school, 'teacher')).token };
    const stranger = { token: (await app.build.school()).admin.token };
    await remove(school.ownClass.id, teacher);
    await remove(school.otherClass.id);
    expect((await listDeleted()).map(({ name }) => name).sort()).toEqual(['Year 3 Wrens', 'Year 5 Swifts']);
    expect((await listDeleted(teacher)).map(({ name }) => name)).toEqual(['Year 3 Wrens']);
    expect(await listDeleted(colleague)).toEqual([]);
    expect((await restore(school.ownClass.id, colleague)).status).toBe(404);
    expect((await restore(school.otherClass.id, teacher)).status).toBe(404);
    expect((await restore(school.ownClass.id, stranger)).status).toBe(404);
    expect((await restore(school.ownClass.id, teacher)).reply.group).toMatchObject({
      user_manages: true,
      readers_count: 2,
    });
    await remove(school.ownClass.id, teacher);
    expect((await restore()).status).toBe(200);
    expect(await classOf(ada)).toBe('Year 3 Wrens');
  });

  test('a deleted class is restored once by two calls at once, and a later call changes nothing', async () => {
    await remove();
    const second = await app.build.staff(school, 'admin');
    const both = await Promise.all([restore(), restore(school.ownClass.id, { token: second.token })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const after = await readSchool();
    expect((await restore()).reply).toMatchObject({ group: { name: 'Year 3 Wrens' }, missing: NOTHING });
    expect(await readSchool()).toEqual(after);
    const log = (await app.call(schoolCalls.listAuditLog, at())).reply.entries;
    expect(log.filter(({ action }) => action === 'class_restored')).toHaveLength(1);
  });

  test('a deleted class is restored with its name or the next free one while a class with the name is created', async () => {
    await remove();
    const [created, restored] = await Promise.all([
      app.call(classCalls.createClass, { ...at(), body: { name: 'Year 3 Wrens' } }),
      restore(),
    ]);
    expect(restored.status).toBe(200);
    expect(restored.reply.group.name).toBe(created.status === 200 ? 'Year 3 Wrens (2)' : 'Year 3 Wrens');
  });

  test('all pupils are in a class that is restored while they are restored from the archive', async () => {
    const pupils = await app.build.pupils(school, school.ownClass.id, ['Bea Finch', 'Cal Swan', 'Dee Heron']);
    for (let round = 0; round < 5; round += 1) {
      for (const pupil of pupils) await archive(pupil);
      await remove();
      const replies = await Promise.all([...pupils.map(unarchive), restore()]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      for (const pupil of pupils) expect(await classOf(pupil)).toBe('Year 3 Wrens');
    }
  });

  test('a deleted class is gone after 30 days: not listed, not restored, and erased by the nightly job', async () => {
    const otherSchool = await app.build.school();
    await app.call(classCalls.removeClass, {
      params: { id: otherSchool.id, groupId: otherSchool.ownClass.id },
      token: otherSchool.admin.token,
    });
    await remove();
    app.setTime('2026-12-18T11:59:59.000Z');
    await carryOutRetention(app.services);
    expect(await listDeleted()).toHaveLength(1);
    app.setTime('2026-12-18T12:00:00.000Z');
    expect(await listDeleted()).toEqual([]);
    const { status, error } = await restore();
    expect([status, error.error]).toEqual([404, 'This class is no longer in the archive. Reload the list.']);
    await carryOutRetention(app.services);
    expect(await countStored()).toBe(0);
    expect(await classOf(ada)).toBe(null);
  });

  test('a deleted class has no trace of a pupil or a member of staff who was erased', async () => {
    await remove();
    await archive(ada);
    await app.call(archiveCalls.erasePupil, { params: { id: school.id, readerId: ada.id }, ...admin });
    const params = { id: school.id, userId: school.teacher.id };
    await app.call(teacherCalls.removeTeacher, { params, ...admin });
    expect((await app.call(privacyCalls.eraseFormerMember, { params, ...admin })).status).toBe(200);
    expect((await listDeleted())[0]?.readers_count).toBe(1);
    const { rows } = await sql`
      select user_id as id from deleted_class_teachers union all
      select pupil_id from deleted_class_pupils where pupil_id <> ${zoe.id}`.execute(app.database.kysely);
    expect(rows).toEqual([]);
    expect((await restore()).reply).toMatchObject({ group: { readers_count: 1, teachers: [] }, missing: NOTHING });
  });

  test('a deleted class names no one as the person who deleted it once they have left the school', async () => {
    await remove(school.ownClass.id, teacher);
    await app.call(teacherCalls.removeTeacher, { params: { id: school.id, userId: school.teacher.id }, ...admin });
    expect((await listDeleted())[0]?.deleted_by).toBe(null);
  });

  test('a deleted class is restored in a locked or expired school, and not in a closed one', async () => {
    await remove();
    const run = (statement: ReturnType<typeof sql>) => statement.execute(app.database.kysely);
    await run(
      sql`update subscriptions set starts_at = '2026-01-01', expires_at = '2026-02-01' where school_id = ${school.id}`,
    );
    expect((await restore()).status).toBe(200);
    await run(sql`update subscriptions set expires_at = '2027-02-01' where school_id = ${school.id}`);
    await remove();
    await app.build.invoice(school);
    await run(sql`update invoices set due_date = '2026-11-17', locks_on = '2026-11-18' where school_id = ${school.id}`);
    expect(await listDeleted()).toHaveLength(1);
    expect((await restore()).status).toBe(200);
    await run(sql`delete from invoices where school_id = ${school.id}`);
    await remove();
    await run(sql`insert into school_closings (school_id, requested_by, requested_at, takes_effect_at, closed_at, erase_at)
      values (${school.id}, ${school.admin.id}, '2026-11-01', '2026-11-08', '2026-11-08', '2026-12-08')`);
    expect(await listDeleted()).toHaveLength(1);
    expect((await restore()).status).toBe(409);
  });
});
