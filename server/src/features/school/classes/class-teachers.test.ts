import { chartCalls } from '#contract/calls/charts.ts';
import { classCalls, MAX_TEACHERS } from '#contract/calls/classes.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
let colleague: Awaited<ReturnType<typeof app.build.staff>>;

beforeEach(async () => {
  school = await app.build.school();
  admin = { token: school.admin.token };
  colleague = await app.build.staff(school, 'teacher');
});

const ownClass = () => ({ id: school.id, groupId: school.ownClass.id });
const add = (userId: number, who = admin, params = ownClass()) =>
  app.call(classCalls.addClassTeacher, { params: { ...params, userId }, ...who });
const takeOut = (userId: number, who = admin, params = ownClass()) =>
  app.call(classCalls.removeClassTeacher, { params: { ...params, userId }, ...who });
const leave = (userId: number) => app.call(teacherCalls.removeTeacher, { params: { id: school.id, userId }, ...admin });
/** The IDs of a class's teachers. The first must also be its `manager`. */
const teachersOf = async (params = ownClass()) => {
  const { group: schoolClass } = (await app.call(classCalls.getClass, { params, ...admin })).reply;
  const ids = schoolClass.teachers.map(({ id }) => id);
  expect([schoolClass.manager_id, schoolClass.manager?.id ?? null]).toEqual([ids[0] ?? null, ids[0] ?? null]);
  return ids;
};

describe('further teachers', () => {
  test('a further teacher has the same rights to the class and its pupils as the first, until removed', async () => {
    const pupil = school.ownClass.pupils[0]!;
    await app.build.reading(school, pupil.id, [{ reading_time: 120 }]);
    const asColleague = async () => {
      const { token } = colleague;
      const params = { id: school.id };
      const list = await app.call(pupilCalls.listPupils, {
        params,
        query: { groups: String(school.ownClass.id) },
        token,
      });
      const chart = await app.call(chartCalls.getChart, {
        query: { name: 'readers_reading_time_by_reading_level', start_date: '2026-11-01', end_date: '2026-11-18' },
        token,
      });
      const renamed = await app.call(pupilCalls.renamePupil, {
        params: { id: school.id, readerId: pupil.id },
        body: { name: 'Ada Baker' },
        token,
      });
      return {
        canUpdate: list.reply.readers.map(({ can_update }) => can_update),
        inChart: chart.reply.chart.labels,
        rename: renamed.status,
        renameClass: (
          await app.call(classCalls.renameClass, { params: ownClass(), body: { name: 'Year 3 Wrens' }, token })
        ).status,
        needs: (
          await app.call(readingNeedsCalls.listReadingNeeds, {
            params,
            query: { group_id: String(school.ownClass.id) },
            token,
          })
        ).status,
        addPupils: (
          await app.call(pupilImportCalls.addPupilsToClass, {
            params: ownClass(),
            body: { readers: { existing: [pupil.id], new: [] } },
            token,
          })
        ).status,
      };
    };
    const without = {
      canUpdate: [false, false],
      inChart: [],
      rename: 409,
      renameClass: 409,
      needs: 404,
      addPupils: 409,
    };
    expect(await asColleague()).toEqual(without);
    expect((await add(colleague.id, { token: school.teacher.token })).status).toBe(200);
    expect(await teachersOf()).toEqual([school.teacher.id, colleague.id]);
    expect(await asColleague()).toEqual({
      canUpdate: [true, true],
      inChart: ['Ada Baker', 'Zoë Łukasik'],
      rename: 200,
      renameClass: 200,
      needs: 200,
      addPupils: 200,
    });
    // But no rights to a class of which they are not a teacher.
    expect((await add(colleague.id, colleague, { ...ownClass(), groupId: school.otherClass.id })).status).toBe(409);
    expect((await takeOut(colleague.id)).status).toBe(200);
    expect(await asColleague()).toEqual(without);
  });

  test('a further teacher is in the list of classes, and becomes the first where there was none', async () => {
    const otherClass = { ...ownClass(), groupId: school.otherClass.id };
    await add(colleague.id, admin, otherClass);
    await add(school.teacher.id, admin, otherClass);
    const { reply } = await app.call(schoolCalls.getSchool, { params: { id: school.id }, token: colleague.token });
    expect(
      reply.enterprise.groups.map(({ name, manager, teachers, user_manages }) => ({
        name,
        manager: manager?.id,
        teachers: teachers.map(({ id }) => id),
        user_manages,
      })),
    ).toEqual([
      { name: 'Year 3 Wrens', manager: school.teacher.id, teachers: [school.teacher.id], user_manages: false },
      { name: 'Year 5 Swifts', manager: colleague.id, teachers: [colleague.id, school.teacher.id], user_manages: true },
    ]);
  });

  test('a further teacher becomes the first when the first is removed from the class, replaced, or leaves the school', async () => {
    const third = await app.build.staff(school, 'teacher');
    await add(colleague.id);
    await add(third.id);
    await app.call(classCalls.removeTeacherFromClass, { params: ownClass(), ...admin });
    expect(await teachersOf()).toEqual([colleague.id, third.id]);
    // A further teacher who becomes the first is no longer a further one; the former first teacher is removed.
    await app.call(classCalls.assignTeacher, { params: { ...ownClass(), userId: third.id }, ...admin });
    expect(await teachersOf()).toEqual([third.id]);
    await add(colleague.id);
    expect((await leave(third.id)).status).toBe(200);
    expect(await teachersOf()).toEqual([colleague.id]);
    // A class whose only teacher leaves has no teacher.
    expect((await leave(colleague.id)).status).toBe(200);
    expect(await teachersOf()).toEqual([]);
    const log = await app.call(schoolCalls.listAuditLog, { params: { id: school.id }, ...admin });
    expect(log.reply.entries.slice(0, 2).map(({ details }) => details.classes)).toEqual([1, 0]);
  });

  test('repeated and concurrent requests add a further teacher once, with one entry in the audit log', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => add(colleague.id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await teachersOf()).toEqual([school.teacher.id, colleague.id]);
    const { reply } = await app.call(schoolCalls.listAuditLog, { params: { id: school.id }, ...admin });
    expect(reply.entries.map(({ action }) => action)).toEqual(['teacher_assigned']);
  });

  test(`a class has at most ${MAX_TEACHERS} teachers, even with concurrent requests`, async () => {
    const more = await Promise.all(Array.from({ length: MAX_TEACHERS + 1 }, () => app.build.staff(school, 'teacher')));
    const answers = await Promise.all(more.map(({ id }) => add(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MAX_TEACHERS - 1);
    expect(answers.filter(({ error }) => error?.code === 'class_teachers_full')).toHaveLength(2);
    expect(await teachersOf()).toHaveLength(MAX_TEACHERS);
  });

  test('a further teacher remains when the first and another are removed concurrently', async () => {
    const third = await app.build.staff(school, 'teacher');
    await add(colleague.id);
    await add(third.id);
    const answers = await Promise.all([takeOut(school.teacher.id), takeOut(colleague.id), leave(school.teacher.id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await teachersOf()).toEqual([third.id]);
  });
});

type Step = ['add' | 'takeOut' | 'assign', number] | ['removeFirst'];
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constantFrom('add' as const, 'takeOut' as const, 'assign' as const), fc.nat(3)),
  fc.constant<Step>(['removeFirst']),
);

test('the teachers of a class match a plain list after any sequence of changes', async () => {
  const people = [school.teacher, colleague, await app.build.staff(school, 'teacher'), school.admin].map(
    ({ id }) => id,
  );
  let expected = [school.teacher.id];
  let now = Date.parse('2026-11-18T12:00:00.000Z');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      for (const [kind, index] of steps) {
        const id = people[index ?? 0]!;
        if (kind === 'add') {
          await add(id);
          if (!expected.includes(id)) expected.push(id);
        } else if (kind === 'takeOut') {
          await takeOut(id);
          expected = expected.filter((teacherId) => teacherId !== id);
        } else if (kind === 'assign') {
          await app.call(classCalls.assignTeacher, { params: { ...ownClass(), userId: id }, ...admin });
          expected = [id, ...expected.slice(1).filter((teacherId) => teacherId !== id)];
        } else {
          await app.call(classCalls.removeTeacherFromClass, { params: ownClass(), ...admin });
          expected = expected.slice(1);
        }
        app.setTime(new Date((now += 1000)).toISOString());
        expect(await teachersOf()).toEqual(expected);
      }
    }),
    { numRuns: 25 },
  );
});
