import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
let teacher: { token: string };
let ada: { id: number; name: string; username: string; token: string };

beforeEach(async () => {
  school = await app.build.school();
  admin = { token: school.admin.token };
  teacher = { token: school.teacher.token };
  ada = school.ownClass.pupils[0] as typeof ada;
});

const move = (to: number, pupilIds: number[], source: number | null, who = admin) =>
  app.call(classMembershipCalls.movePupils, {
    params: { id: school.id, groupId: to },
    body: { reader_ids: pupilIds, source },
    ...who,
  });
const remove = (pupilId: number, who = teacher, classId = school.ownClass.id) =>
  app.call(classMembershipCalls.removePupilFromClass, { params: { id: school.id, groupId: classId, pupilId }, ...who });
const classOf = async (pupilId: number) =>
  (await app.call(pupilCalls.getPupil, { params: { id: school.id, readerId: pupilId }, ...admin })).reply.reader.group
    ?.name ?? null;
const audit = () =>
  app.database.kysely
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('school_id', '=', school.id)
    .orderBy('id')
    .execute();

describe('moving pupils', () => {
  test('moves pupils to another class, and pupils without a class into one', async () => {
    const ids = school.ownClass.pupils.map(({ id }) => id);
    expect((await move(school.otherClass.id, ids, school.ownClass.id)).status).toBe(200);
    expect(await classOf(ada.id)).toBe('Year 5 Swifts');
    expect((await move(school.ownClass.id, [school.unplaced.id], null, teacher)).status).toBe(200);
    expect(await classOf(school.unplaced.id)).toBe('Year 3 Wrens');
    expect((await audit()).map(({ action }) => action)).toEqual(['pupils_moved', 'pupils_moved']);
  });

  test('rejects a move of pupils by a teacher who cannot change both classes', async () => {
    for (const [to, from, ids] of [
      [school.otherClass.id, school.ownClass.id, [ada.id]],
      [school.ownClass.id, school.otherClass.id, school.otherClass.pupils.map(({ id }) => id)],
    ] as const) {
      const { status, error } = await move(to, [...ids], from, teacher);
      expect({ status, text: error.error }).toEqual({
        status: 409,
        text: 'You do not manage Year 5 Swifts. Ask its teacher or an administrator of your school.',
      });
    }
    expect(await classOf(ada.id)).toBe('Year 3 Wrens');
  });

  test('rejects the second of two concurrent moves of pupils and moves no one in it', async () => {
    const both = school.ownClass.pupils.map(({ id }) => id);
    const answers = await Promise.all([
      move(school.otherClass.id, [ada.id], school.ownClass.id),
      move(school.otherClass.id, both, school.ownClass.id),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const late = await move(school.otherClass.id, [ada.id], school.ownClass.id);
    expect({ status: late.status, type: late.error.error_type, text: late.error.error }).toEqual({
      status: 409,
      type: 'conflict',
      text: 'Ada Baker is no longer in Year 3 Wrens; the pupil is in Year 5 Swifts now. Nothing was changed. Load the list again.',
    });
  });

  test('moves all pupils of a request or none', async () => {
    const { status, error } = await move(school.otherClass.id, [ada.id, school.unplaced.id], school.ownClass.id);
    expect({ status, text: error.error }).toEqual({
      status: 409,
      text: 'Mina Rahman is no longer in Year 3 Wrens; the pupil has no class now. Nothing was changed. Load the list again.',
    });
    expect(await classOf(ada.id)).toBe('Year 3 Wrens');
    const otherSchool = await app.build.school();
    expect((await move(school.otherClass.id, [ada.id, otherSchool.unplaced.id], school.ownClass.id)).status).toBe(404);
    expect(await classOf(ada.id)).toBe('Year 3 Wrens');
  });

  test('rejects a move without pupils', async () => {
    const { status, error } = await move(school.otherClass.id, [], school.ownClass.id);
    expect({ status, errors: error.errors }).toEqual({
      status: 422,
      errors: { reader_ids: ['Choose at least one pupil.'] },
    });
  });
});

describe('taking a pupil out of a class', () => {
  test('a pupil who is taken out of a class stays in the school, and a second attempt is rejected', async () => {
    expect((await remove(ada.id)).status).toBe(200);
    expect(await classOf(ada.id)).toBe(null);
    const unplaced = await app.call(pupilCalls.listPupils, {
      params: { id: school.id },
      query: { groups: 'none' },
      ...teacher,
    });
    expect(unplaced.reply.readers).toContainEqual(expect.objectContaining({ id: ada.id, can_update: true }));
    const { status, error } = await remove(ada.id);
    expect({ status, text: error.error }).toEqual({
      status: 409,
      text: 'Ada Baker is no longer in Year 3 Wrens; the pupil has no class now. Nothing was changed. Load the list again.',
    });
    expect(await audit()).toMatchObject([{ action: 'pupil_removed_from_class', details: { class: 'Year 3 Wrens' } }]);
  });

  test('only a teacher of the class or an admin takes a pupil out of a class', async () => {
    const pupil = school.otherClass.pupils[0] as { id: number };
    expect((await remove(pupil.id, teacher, school.otherClass.id)).status).toBe(409);
    expect((await remove(pupil.id, admin, school.otherClass.id)).status).toBe(200);
  });
});

describe('taking several pupils out of their classes', () => {
  const unplace = (pupilIds: number[], who = teacher) =>
    app.call(classMembershipCalls.removePupilsFromClasses, {
      params: { id: school.id },
      body: { reader_ids: pupilIds },
      ...who,
    });

  test('takes several pupils out of their classes, all or none', async () => {
    const finn = school.otherClass.pupils[0] as { id: number };
    expect((await unplace([ada.id, finn.id])).status).toBe(409);
    expect(await classOf(ada.id)).toBe('Year 3 Wrens');
    expect((await unplace([ada.id, finn.id, school.unplaced.id], admin)).status).toBe(200);
    expect([await classOf(ada.id), await classOf(finn.id)]).toEqual([null, null]);
    expect(await audit()).toMatchObject([{ action: 'pupils_unplaced', details: { pupils: [ada.id, finn.id] } }]);
  });
});
