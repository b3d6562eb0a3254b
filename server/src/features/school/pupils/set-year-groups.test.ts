import { classCalls } from '#contract/calls/classes.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { programCalls } from '#contract/calls/programs.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { yearGroupCalls } from '#contract/calls/year-groups.ts';
import { YEAR_GROUPS, type YearGroup, yearGroupOn } from '#contract/year-group.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { inSchool } from '../../../database/school.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { saveYearGroups } from './year-groups.queries.ts';

const app = testApp();
let school: BuiltSchool;
beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  school = await app.build.school({ maxPupils: 900, ownPupils: ['Ada Baker', 'Ben Crane', 'Cleo Diaz'] });
});

const idsOf = (pupils: readonly { id: number }[]) => pupils.map(({ id }) => id);
const own = () => idsOf(school.ownClass.pupils);
const set = (pupilIds: readonly number[], yearGroup: YearGroup | null, token = school.admin.token) =>
  app.call(yearGroupCalls.setYearGroups, {
    params: { id: school.id },
    body: { reader_ids: [...pupilIds], year_group: yearGroup },
    token,
  });
const yearGroups = async () => {
  const { reply } = await app.call(pupilCalls.listPupils, {
    params: { id: school.id },
    query: { per_page: '200' },
    token: school.admin.token,
  });
  return new Map(reply.readers.map(({ id, year_group }) => [id, year_group]));
};
const audited = () =>
  app.database.kysely
    .selectFrom('audit_log')
    .select(['subject_kind', 'subject_id', 'actor_user_id', 'details'])
    .where('school_id', '=', school.id)
    .where('action', '=', 'pupil_year_group_changed')
    .orderBy('id')
    .execute();

describe('the year group of several pupils', () => {
  test('is set for all, recorded once for each pupil whose year group changes, and answered with the former ones', async () => {
    const [ada, ben, cleo] = own() as [number, number, number];
    await set([ada], '3');
    await set([ben], '4');
    const before = await audited();
    const { reply } = await set([cleo, ben, ada, ben], '4');
    expect(reply.changed).toEqual([
      { reader_id: ada, year_group: '3' },
      { reader_id: cleo, year_group: null },
    ]);
    const now = await yearGroups();
    expect(own().map((id) => now.get(id))).toEqual(['4', '4', '4']);
    expect((await audited()).slice(before.length)).toEqual(
      [ada, cleo].map((id) => ({
        subject_kind: 'pupil',
        subject_id: String(id),
        actor_user_id: school.admin.id,
        details: {},
      })),
    );
    const pending = await app.database.kysely
      .selectFrom('audit_pending')
      .select('entry_id')
      .where('school_id', '=', school.id)
      .execute();
    expect(pending.length).toBeGreaterThanOrEqual(4);
  });

  test('is removed with null, and nothing is recorded when no pupil’s changes', async () => {
    await set(own(), 'P4');
    expect((await set(own(), null)).reply.changed.map(({ year_group }) => year_group)).toEqual(['P4', 'P4', 'P4']);
    const before = await audited();
    expect((await set(own(), null)).reply.changed).toEqual([]);
    expect(await audited()).toEqual(before);
  });

  test('is given back by the former values, and to the others after one of the pupils has left', async () => {
    const [ada, ben, cleo] = own() as [number, number, number];
    await set([ada, ben], '3');
    const { changed } = (await set(own(), '5')).reply;
    await app.call(archiveCalls.archivePupils, {
      params: { id: school.id },
      body: { reader_ids: [ben] },
      token: school.admin.token,
    });
    const inYear3 = idsOf(changed.filter(({ year_group }) => year_group === '3').map(({ reader_id: id }) => ({ id })));
    const { status, error } = await set(inYear3, '3');
    expect({ status, error }).toMatchObject({
      status: 404,
      error: { reader_ids: [ben] },
    });
    expect((await yearGroups()).get(ada)).toBe('5');
    await set(
      inYear3.filter((id) => id !== ben),
      '3',
    );
    await set([cleo], null);
    const now = await yearGroups();
    expect([now.get(ada), now.get(cleo)]).toEqual(['3', null]);
  });

  test('is set by a teacher for their own pupils, and for none when one of them is another teacher’s', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    const theirClass = await app.build.newClass(school, 'Year 6 Owls', colleague.id);
    const [theirs] = await app.build.pupils(school, theirClass, ['Dora Evans']);
    expect((await set(own(), '3', school.teacher.token)).status).toBe(200);
    const { status, error } = await set([...own(), theirs!.id], '4', school.teacher.token);
    expect({ status, code: error.code }).toEqual({ status: 409, code: 'pupil_not_managed' });
    const now = await yearGroups();
    expect([...own(), theirs!.id].map((id) => now.get(id))).toEqual(['3', '3', '3', null]);
  });

  test('is not set for pupils of another school or by a business manager', async () => {
    const elsewhere = await app.build.school();
    const foreign = await set([...own(), elsewhere.ownClass.pupils[0]!.id], '3');
    expect(foreign.status).toBe(404);
    const manager = await app.build.staff(school, 'business_manager');
    expect((await set(own(), '3', manager.token)).status).toBe(403);
    expect([...(await yearGroups()).values()].every((code) => code === null)).toBe(true);
  });

  test('set by two people at once is that of the second one, whose reply has that of the first', async () => {
    const replies = await Promise.all([set(own(), '3'), set(own().toReversed(), '4', school.teacher.token)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const now = await yearGroups();
    const [last] = new Set(own().map((id) => now.get(id)));
    const former = replies.map(({ reply }) => [...new Set(reply.changed.map(({ year_group }) => year_group))]);
    expect(former).toEqual(last === '4' ? [[null], ['3']] : [['4'], [null]]);
  });
});

describe('the filter by year group', () => {
  const filtered = async (yearGroup: YearGroup | 'none') => {
    const { token } = await app.build.staff(school, 'admin');
    const query = { year_group: yearGroup, per_page: '200' } as const;
    const { reply } = await app.call(pupilCalls.listPupils, { params: { id: school.id }, query, token });
    return idsOf(reply.readers);
  };

  test('finds exactly the pupils whose recorded year group means it on the day, for all codes and Septembers', async () => {
    const recorded = YEAR_GROUPS.flatMap((code) =>
      [2003, 2007, 2008, 2009, 2017, 2024, 2025, 2026, 2027].map((year) => ({ code, since: `${year}-09-01` })),
    );
    const names = recorded.map(
      (_, index) => `Pupil ${String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))}`,
    );
    const pupilIds = idsOf(await app.build.pupils(school, null, names));
    await inSchool(app.database, school.id, (db) =>
      saveYearGroups(
        db,
        pupilIds.map((pupilId, index) => ({ pupilId, yearGroup: recorded[index]! })),
      ),
    );
    const all = [...(await yearGroups()).keys()];
    const unknown = all.filter((id) => !pupilIds.includes(id));
    for (const day of ['2026-08-31', '2026-09-01', '2027-01-15']) {
      app.setTime(`${day}T12:00:00.000Z`);
      const meaning = (code: YearGroup | null) =>
        pupilIds.filter((_, index) => yearGroupOn(recorded[index]!, day) === code);
      for (const code of YEAR_GROUPS)
        expect([day, code, (await filtered(code)).toSorted((a, b) => a - b)]).toEqual([day, code, meaning(code)]);
      const none = (await filtered('none')).toSorted((a, b) => a - b);
      expect([day, none]).toEqual([day, [...unknown, ...meaning(null)].toSorted((a, b) => a - b).slice(0, 200)]);
    }
  });

  test('is in the heading of the export, and rejects an unknown code', async () => {
    await set(own().slice(0, 1), '3');
    const at = { params: { id: school.id }, token: school.admin.token };
    const { text } = await app.call(downloadCalls.exportPupils, { ...at, query: { output: 'csv', year_group: '3' } });
    expect(text).toContain('Ada Baker');
    expect(text).not.toContain('Ben Crane');
    const wrong = await app.call(pupilCalls.listPupils, { ...at, query: { year_group: 'Year 3' as '3' } });
    expect(wrong.status).toBe(422);
  });
});

test('a class has the year groups of its current pupils by age, each once, and without M and X', async () => {
  const [ada, ben, cleo] = own() as [number, number, number];
  const at = { params: { id: school.id }, token: school.admin.token };
  const ownYears = async () => {
    const token = (await app.build.staff(school, 'admin')).token;
    const { groups: classes } = (await app.call(schoolCalls.getSchool, { ...at, token })).reply.enterprise;
    const listed = classes.find(({ id }) => id === school.ownClass.id)?.year_groups;
    const params = { id: school.id, groupId: school.ownClass.id };
    expect((await app.call(classCalls.getClass, { params, token })).reply.group.year_groups).toEqual(listed);
    const program = await app.build.program(school);
    const open = (await app.call(programCalls.listClasses, { params: at.params, token: program.token })).reply.groups;
    expect(open.find(({ id }) => id === school.ownClass.id)?.year_groups).toEqual(listed);
    return listed;
  };
  expect(await ownYears()).toEqual([]);
  await set([ada], '1');
  await set([ben], 'R');
  await set([cleo], 'M');
  expect(await ownYears()).toEqual(['R', '1']);
  await set([cleo], '1');
  expect(await ownYears()).toEqual(['R', '1']);
  app.setTime('2027-09-01T12:00:00.000Z');
  expect(await ownYears()).toEqual(['1', '2']);
});
