import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StagedPupil } from '../../../database/column-types.ts';
import { planChanges } from './plan.service.ts';
import type { PupilLink } from '../runs/runs.public.ts';
import {
  NO_ANSWERS,
  type SchoolRecords,
  type PlanAnswers,
  type SchoolState,
  type StaffState,
} from './state.service.ts';

const row = (sourceId: string, name: string | null, more: Partial<StagedPupil> = {}): StagedPupil => ({
  sourceId,
  name,
  yearGroup: '3',
  classIds: [],
  upn: null,
  birth: null,
  isGone: false,
  ...more,
});
const records = (pupils: StagedPupil[], more: Partial<SchoolRecords> = {}): SchoolRecords => ({
  isComplete: true,
  pupils,
  classes: [],
  staff: [],
  unclearStaff: [],
  notes: [],
  ...more,
});
const EMPTY: SchoolState = {
  pupils: [],
  classes: [],
  links: [],
  classLinks: [],
  otherLinks: [],
  otherClassIds: [],
  staff: [],
  staffEmails: new Set(),
  isLeavingSeason: false,
};
const link = (sourceId: string, pupilId: number, name: string, more: Partial<PupilLink> = {}): PupilLink => ({
  sourceId,
  pupilId,
  name,
  classId: null,
  yearGroup: '3',
  upn: null,
  birth: null,
  hasLeft: false,
  ...more,
});

/** Applies a plan in memory, as the database does. */
function apply(state: SchoolState, from: SchoolRecords, answers: PlanAnswers, leavers: readonly number[]): SchoolState {
  const planned = planChanges(from, state, answers);
  let next = 1 + Math.max(0, ...state.pupils.map(({ id }) => id), ...state.classes.map(({ id }) => id));
  const created = new Map([...planned.newClasses].map(([key, name]) => [key, { id: next++, name }]));
  const idOf = (target: { id: number } | { newKey: string }) =>
    'id' in target ? target.id : (created.get(target.newKey)?.id ?? 0);
  const names = new Map(planned.renames.map(({ id, name }) => [id, name]));
  const pupils = new Map(state.pupils.map((pupil) => [pupil.id, { ...pupil }]));
  for (const { pupilId, name } of planned.nameChanges) (pupils.get(pupilId) ?? { name }).name = name;
  for (const { pupilId, target } of [...planned.returners, ...planned.moves]) {
    const pupil = pupils.get(pupilId);
    if (!pupil) continue;
    pupil.isArchived = false;
    if (target) pupil.classId = idOf(target);
  }
  const added = new Map<string, number>();
  for (const { sourceId, name, target } of planned.joiners) {
    const id = next++;
    added.set(sourceId, id);
    pupils.set(id, { id, name, classId: target ? idOf(target) : null, isArchived: false, yearGroup: null });
  }
  for (const id of leavers) {
    const pupil = pupils.get(id);
    if (pupil) pupils.set(id, { ...pupil, classId: null, isArchived: true, yearGroup: null });
  }
  const links = planned.links.map(({ target, pupilId, classId, ...values }) => ({
    ...values,
    pupilId: pupilId ?? added.get(values.sourceId) ?? 0,
    classId: target ? idOf(target) : classId,
  }));
  const linked = new Set(links.map(({ pupilId }) => pupilId));
  const kept = state.links.filter(({ pupilId }) => !linked.has(pupilId));
  const classLinks = planned.classLinks.map(({ target, ...values }) => ({ ...values, classId: idOf(target) }));
  const named = new Set(classLinks.map(({ sourceId }) => sourceId));
  const linkedClasses = new Set(classLinks.map(({ classId }) => classId));
  return {
    ...state,
    pupils: [...pupils.values()],
    classes: [...state.classes.map(({ id, name }) => ({ id, name: names.get(id) ?? name })), ...created.values()],
    links: [...links, ...kept].map((known) => (leavers.includes(known.pupilId) ? { ...known, hasLeft: true } : known)),
    classLinks: [
      ...classLinks,
      ...state.classLinks.filter(({ sourceId, classId }) => !named.has(sourceId) && !linkedClasses.has(classId)),
    ],
  };
}

const NAMES = ['Ada Bell', 'Tom Price', 'Zoë Hart', 'Sam Obi', 'Ivy Lane', 'x', 'R2 D2'];
const pupilRows = fc.uniqueArray(
  fc.record({
    sourceId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    name: fc.constantFrom(...NAMES),
    yearGroup: fc.constantFrom(null, '3', '6'),
    classIds: fc.uniqueArray(fc.constantFrom('k1', 'k2', 'k3'), { maxLength: 2 }),
    upn: fc.constantFrom(null, 'u1', 'u2', 'u3'),
    birth: fc.constantFrom(null, 'b1', 'b2'),
    isGone: fc.constantFrom(false, false, false, true),
  }),
  { selector: ({ sourceId }) => sourceId, maxLength: 8 },
);
const anyRecords: fc.Arbitrary<SchoolRecords> = fc
  .record({
    isComplete: fc.boolean(),
    pupils: pupilRows,
    names: fc.tuple(...['k1', 'k2', 'k3'].map(() => fc.constantFrom('Wrens', 'Owls', 'Larks'))),
    homerooms: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  })
  .map(({ isComplete, pupils, names, homerooms }) => ({
    isComplete,
    pupils,
    classes: names.map((name, index) => ({ sourceId: `k${index + 1}`, name, isHomeroom: homerooms[index] ?? false })),
    staff: [],
    unclearStaff: null,
    notes: [],
  }));
const answersTo = (from: SchoolRecords, state: SchoolState, isSame: boolean): PlanAnswers => {
  const used = new Set<number>();
  const { plan } = planChanges(from, state, NO_ANSWERS);
  const merges = plan.questions.map(({ source_id, candidates }): [string, number | 'new'] => {
    const free = candidates.find(({ id }) => !used.has(id));
    if (!isSame || !free) return [source_id, 'new'];
    used.add(free.id);
    return [source_id, free.id];
  });
  return {
    merges: new Map(merges),
    leftOut: new Set(),
    classes: new Map(plan.choices.map((choice) => [choice.source_id, choice.classes[0]?.source_id ?? ''])),
  };
};
/** A state that several files led to, with edits in the portal between them. */
const histories = fc.record({
  typed: fc.array(fc.constantFrom('Ada Bell', 'Tom Price', 'Sam Obi'), { maxLength: 3 }),
  files: fc.array(fc.record({ file: anyRecords, isSame: fc.boolean(), approves: fc.boolean() }), { maxLength: 4 }),
  renamed: fc.nat(4),
  moved: fc.nat(4),
  className: fc.constantFrom(null, 'Wrens', 'Owls', 'Larks', 'Robins'),
});
function live({
  typed,
  files,
  renamed,
  moved,
  className,
}: typeof histories extends fc.Arbitrary<infer T> ? T : never): SchoolState {
  let state: SchoolState = {
    ...EMPTY,
    pupils: typed.map((name, index) => ({ id: index + 1, name, classId: null, isArchived: false, yearGroup: null })),
  };
  for (const { file, isSame, approves } of files) {
    const answers = answersTo(file, state, isSame);
    const { leavers } = planChanges(file, state, NO_ANSWERS).plan;
    state = apply(state, file, answers, approves ? leavers.map(({ pupil }) => pupil ?? 0) : []);
    const isFree = state.classes.every(({ name }) => name !== className);
    state = {
      ...state,
      classes: state.classes.map(({ id, name }, index) => ({ id, name: (index === 0 && isFree && className) || name })),
      pupils: state.pupils.map((pupil) => ({
        ...pupil,
        name: pupil.id === renamed ? 'Edited Here' : pupil.name,
        classId: pupil.id === moved && !pupil.isArchived ? (state.classes.at(-1)?.id ?? null) : pupil.classId,
      })),
    };
  }
  return state;
}

describe('properties of all plans', () => {
  test('applying a plan again changes nothing', () => {
    fc.assert(
      fc.property(histories, anyRecords, fc.boolean(), (history, file, isSame) => {
        const before = live(history);
        const answers = answersTo(file, before, isSame);
        const { plan } = planChanges(file, before, answers);
        const after = apply(
          before,
          file,
          answers,
          plan.leavers.map(({ pupil }) => pupil ?? 0),
        );
        const again = planChanges(file, after, NO_ANSWERS);
        expect(again.plan).toMatchObject({ joiners: [], returners: [], movers: [], names: [], classes: [] });
        expect(again.plan.choices).toEqual([]);
        expect(apply(after, file, NO_ANSWERS, []).pupils).toEqual(after.pupils);
      }),
      { numRuns: 500 },
    );
  });

  test('a pupil leaves only with approval, and no plan removes a pupil', () => {
    fc.assert(
      fc.property(histories, anyRecords, (history, file) => {
        const before = live(history);
        const after = apply(before, file, answersTo(file, before, true), []);
        for (const pupil of before.pupils) {
          const now = after.pupils.find(({ id }) => id === pupil.id);
          expect(now).toBeDefined();
          if (!pupil.isArchived) expect(now?.isArchived).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('pupils and classes of another source never change', () => {
    fc.assert(
      fc.property(histories, anyRecords, fc.boolean(), (history, file, isSame) => {
        const ofSource = live(history);
        const { links, classLinks } = ofSource;
        const state = {
          ...ofSource,
          links: [],
          classLinks: [],
          otherLinks: links,
          otherClassIds: classLinks.map(({ classId }) => classId),
        };
        const { plan } = planChanges(file, state, NO_ANSWERS);
        const after = apply(
          state,
          file,
          answersTo(file, state, isSame),
          plan.leavers.map(({ pupil }) => pupil ?? 0),
        );
        const owned = new Set(links.map(({ pupilId }) => pupilId));
        const pupilsOf = (school: SchoolState) => school.pupils.filter(({ id }) => owned.has(id));
        const classesOf = (school: SchoolState) => school.classes.filter(({ id }) => state.otherClassIds.includes(id));
        expect(pupilsOf(after)).toEqual(pupilsOf(state));
        expect(classesOf(after)).toEqual(classesOf(state));
        expect(after.links.some(({ pupilId }) => owned.has(pupilId))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

test('a new pupil joins, with the class', () => {
  const { plan } = planChanges(
    records([row('a', 'Ada Bell', { classIds: ['k'] })], {
      classes: [{ sourceId: 'k', name: 'Wrens', isHomeroom: true }],
    }),
    EMPTY,
    NO_ANSWERS,
  );
  expect(plan.joiners).toEqual([{ source_id: 'a', pupil: null, name: 'Ada Bell', class: 'Wrens' }]);
  expect(plan.classes).toEqual([{ name: 'Wrens', from: null }]);
});

const SCHOOL_WITH_ADA: SchoolState = {
  ...EMPTY,
  pupils: [{ id: 1, name: 'Ada Bell', classId: null, isArchived: false, yearGroup: null }],
  links: [link('a', 1, 'Ada Bell')],
};

test('a missing pupil is a candidate for leaving only if the file is complete', () => {
  const file = records([row('b', 'Tom Price')]);
  expect(planChanges(file, SCHOOL_WITH_ADA, NO_ANSWERS).plan.leavers).toMatchObject([{ pupil: 1, is_expected: false }]);
  expect(planChanges({ ...file, isComplete: false }, SCHOOL_WITH_ADA, NO_ANSWERS).plan.leavers).toEqual([]);
});

test('pupils of Year 6 are expected to leave from June to September', () => {
  const state = { ...SCHOOL_WITH_ADA, links: [link('a', 1, 'Ada Bell', { yearGroup: '6' })] };
  const file = records([row('b', 'Tom Price')]);
  expect(planChanges(file, state, NO_ANSWERS).plan.leavers).toMatchObject([{ is_expected: false }]);
  const summer = { ...state, isLeavingSeason: true };
  expect(planChanges(file, summer, NO_ANSWERS).plan.leavers).toMatchObject([{ is_expected: true }]);
});

test('a name edited in the portal stays and is shown as different', () => {
  const state = {
    ...SCHOOL_WITH_ADA,
    pupils: [{ id: 1, name: 'Addie Bell', classId: null, isArchived: false, yearGroup: null }],
  };
  const { plan } = planChanges(records([row('a', 'Ada Bell-Hart')]), state, NO_ANSWERS);
  expect(plan.names).toEqual([]);
  expect(plan.differences).toEqual([
    { pupil: 1, name: 'Addie Bell', field: 'name', here: 'Addie Bell', there: 'Ada Bell-Hart' },
  ]);
});

test('a pupil who was moved or deleted in the portal stays there', () => {
  const classes = [
    { id: 10, name: 'Wrens' },
    { id: 11, name: 'Owls' },
  ];
  const file = records([row('a', 'Ada Bell', { classIds: ['k'] })], {
    classes: [{ sourceId: 'k', name: 'Wrens', isHomeroom: true }],
  });
  const moved = {
    ...SCHOOL_WITH_ADA,
    classes,
    pupils: [{ id: 1, name: 'Ada Bell', classId: 11, isArchived: false, yearGroup: null }],
  };
  expect(planChanges(file, moved, NO_ANSWERS).plan).toMatchObject({
    movers: [],
    differences: [{ field: 'class', here: 'Owls', there: 'Wrens' }],
  });
  const deleted = {
    ...SCHOOL_WITH_ADA,
    classes,
    pupils: [{ id: 1, name: 'Ada Bell', classId: null, isArchived: true, yearGroup: null }],
  };
  expect(planChanges(file, deleted, NO_ANSWERS).plan).toMatchObject({
    returners: [],
    differences: [{ field: 'archived' }],
  });
  const left = { ...deleted, links: [link('a', 1, 'Ada Bell', { hasLeft: true })] };
  expect(planChanges(file, left, NO_ANSWERS).plan).toMatchObject({ returners: [{ pupil: 1 }], differences: [] });
});

test('a pupil with several classes gets the homeroom, else the admin chooses', () => {
  const classes = [
    { sourceId: 'm', name: 'Maths', isHomeroom: false },
    { sourceId: 'h', name: 'Wrens', isHomeroom: true },
    { sourceId: 'p', name: 'Phonics', isHomeroom: false },
  ];
  const file = (classIds: string[]) => records([row('a', 'Ada Bell', { classIds })], { classes });
  expect(planChanges(file(['m', 'h', 'p']), EMPTY, NO_ANSWERS).plan).toMatchObject({
    joiners: [{ class: 'Wrens' }],
    choices: [],
  });
  const { plan } = planChanges(file(['m', 'p']), EMPTY, NO_ANSWERS);
  expect(plan).toMatchObject({
    joiners: [{ class: null }],
    choices: [{ classes: [{ name: 'Maths' }, { name: 'Phonics' }] }],
  });
  const answers = { ...NO_ANSWERS, classes: new Map([['a', 'p']]) };
  expect(planChanges(file(['m', 'p']), EMPTY, answers).plan).toMatchObject({
    joiners: [{ class: 'Phonics' }],
    choices: [],
  });
});

test('two classes that are one class of the school need no choice', () => {
  const classes = ['a', 'b'].map((sourceId) => ({ sourceId, name: 'Wrens', isHomeroom: true }));
  const { plan } = planChanges(
    records([row('p', 'Ada Bell', { classIds: ['a', 'b'] })], { classes }),
    EMPTY,
    NO_ANSWERS,
  );
  expect(plan).toMatchObject({ joiners: [{ class: 'Wrens' }], choices: [] });
});

test('a pupil moved in the portal needs no choice between the classes of the file', () => {
  const classes = ['Wrens', 'Owls'].map((name) => ({ sourceId: name, name, isHomeroom: false }));
  const state = {
    ...SCHOOL_WITH_ADA,
    classes: [{ id: 12, name: 'Larks' }],
    pupils: [{ id: 1, name: 'Ada Bell', classId: 12, isArchived: false, yearGroup: null }],
  };
  const { plan } = planChanges(
    records([row('a', 'Ada Bell', { classIds: ['Wrens', 'Owls'] })], { classes }),
    state,
    NO_ANSWERS,
  );
  expect(plan).toMatchObject({
    choices: [],
    differences: [{ field: 'class', here: 'Larks', there: 'Wrens or Owls' }],
  });
});

test('a pupil who comes back without a class is moved once the file has one', () => {
  const left = {
    ...SCHOOL_WITH_ADA,
    classes: [{ id: 10, name: 'Wrens' }],
    pupils: [{ id: 1, name: 'Ada Bell', classId: null, isArchived: true, yearGroup: null }],
    links: [link('a', 1, 'Ada Bell', { classId: 10, hasLeft: true })],
  };
  const back = apply(left, records([row('a', 'Ada Bell')]), NO_ANSWERS, []);
  const classes = [{ sourceId: 'k', name: 'Wrens', isHomeroom: true }];
  const { plan } = planChanges(records([row('a', 'Ada Bell', { classIds: ['k'] })], { classes }), back, NO_ANSWERS);
  expect(plan).toMatchObject({ movers: [{ pupil: 1, class: 'Wrens' }], differences: [] });
});

test('a class is renamed, two classes exchange names, and a name that is taken stays', () => {
  const state: SchoolState = {
    ...EMPTY,
    classes: [
      { id: 10, name: '3W' },
      { id: 11, name: '4W' },
      { id: 12, name: '5W' },
    ],
    classLinks: [
      { sourceId: 'a', classId: 10, name: '3W' },
      { sourceId: 'b', classId: 11, name: '4W' },
    ],
  };
  const file = (a: string, b: string) =>
    records([row('p', 'Ada Bell')], {
      classes: [
        { sourceId: 'a', name: a, isHomeroom: true },
        { sourceId: 'b', name: b, isHomeroom: true },
      ],
    });
  expect(planChanges(file('4W', '3W'), state, NO_ANSWERS).renames).toEqual([
    { id: 10, name: '4W' },
    { id: 11, name: '3W' },
  ]);
  const clash = planChanges(file('4W', '5W'), state, NO_ANSWERS);
  expect(clash.renames).toEqual([]);
  expect(clash.plan.differences).toHaveLength(2);
});

test('a name that the portal does not accept is listed, and its pupil does not leave', () => {
  const { plan } = planChanges(records([row('a', '=1+1')]), SCHOOL_WITH_ADA, NO_ANSWERS);
  expect(plan).toMatchObject({ rejected: [{ name: '=1+1' }], leavers: [], names: [] });
});

describe('plans on hold', () => {
  const school = (count: number): SchoolState => {
    const names = Array.from(
      { length: count },
      (_, index) => `Pupil ${String.fromCharCode(65 + (index % 26), 65 + Math.floor(index / 26))}`,
    );
    return {
      ...EMPTY,
      pupils: names.map((name, id) => ({ id: id + 1, name, classId: null, isArchived: false, yearGroup: null })),
      links: names.map((name, id) => link(`s${id + 1}`, id + 1, name)),
    };
  };
  const without = (state: SchoolState, missing: number, rename = 0) =>
    records(
      state.links
        .slice(missing)
        .map(({ sourceId, name }, index) => row(sourceId, index < rename ? `${name} Smith` : name)),
    );
  const onHoldOf = (count: number, missing: number, rename = 0, more: Partial<SchoolState> = {}) => {
    const state = { ...school(count), ...more };
    return planChanges(without(state, missing, rename), state, NO_ANSWERS).plan.on_hold;
  };
  test('a plan is on hold with at least 5 leavers who are over 10 % of the pupils', () => {
    expect(onHoldOf(50, 5)).toBeNull();
    expect(onHoldOf(49, 5)).toEqual({ reason: 'leaving', pupils: 5, total: 49 });
    expect(onHoldOf(30, 4)).toBeNull();
  });
  test('a plan is on hold when over 75 % of the pupils change', () => {
    expect(onHoldOf(40, 0, 30)).toBeNull();
    expect(onHoldOf(40, 0, 31)).toEqual({ reason: 'changed', pupils: 31, total: 40 });
  });
  test('a plan is on hold when the file marks as gone at least 5 pupils who are over 10 %', () => {
    const state = school(30);
    const file = records(state.links.map(({ sourceId, name }, index) => row(sourceId, name, { isGone: index < 5 })));
    expect(planChanges(file, state, NO_ANSWERS).plan).toMatchObject({ on_hold: { reason: 'leaving', pupils: 5 } });
  });
  test('without counting expected leavers', () => {
    const state = school(30);
    const leavers = {
      links: state.links.map((known) => ({ ...known, yearGroup: '6' as const })),
      isLeavingSeason: true,
    };
    expect(onHoldOf(30, 10, 0, leavers)).toBeNull();
  });
});

test('a joiner who is left out is not added', () => {
  const file = records([row('a', 'Ada Bell'), row('b', 'Bo Carr')]);
  const { plan, joiners, links } = planChanges(file, EMPTY, { ...NO_ANSWERS, leftOut: new Set(['a']) });
  expect([joiners, links, plan.joiners].map((list) => list.length)).toEqual([1, 1, 1]);
  expect(joiners).toMatchObject([{ name: 'Bo Carr' }]);
});

test('staff who are not in the school can be invited', () => {
  const staff = [
    { name: 'Jo Reed', email: 'Jo@oak.example' },
    { name: 'Al Fox', email: 'al@oak.example' },
  ];
  const state = { ...EMPTY, staffEmails: new Set(['jo@oak.example']) };
  expect(planChanges(records([], { staff }), state, NO_ANSWERS).plan.staff).toEqual([staff[1]]);
});

describe('staff whom the records no longer name', () => {
  const member = (id: number, more: Partial<StaffState> = {}): StaffState => ({
    id,
    name: `Person ${id}`,
    email: `p${id}@oak.example`,
    role: 'teacher',
    isExpected: true,
    ...more,
  });
  const missing = (staff: StaffState[], more: Partial<SchoolRecords> = {}) =>
    planChanges(records([], more), { ...EMPTY, staff }, NO_ANSWERS).plan.missing_staff.map(({ user }) => user);
  const ADMIN = member(9, { role: 'admin', isExpected: false });

  test('only staff whom the records named before, and whom no admin has kept, are asked about', () => {
    const staff = [ADMIN, member(1), member(2, { isExpected: false }), member(3)];
    expect(missing(staff, { staff: [{ name: 'Person 3', email: 'P3@Oak.example' }] })).toEqual([1]);
  });

  test('a person whose record cannot be read is not asked about', () => {
    expect(missing([ADMIN, member(1)], { unclearStaff: ['p1@oak.example'] })).toEqual([]);
  });

  test('records in which staff may be missing ask about no one', () => {
    expect(missing([ADMIN, member(1)], { unclearStaff: null })).toEqual([]);
  });

  test('the only admin is never asked about; of several each is', () => {
    const [one, two] = [member(1, { role: 'admin' }), member(2, { role: 'admin' })];
    expect(missing([one, member(3)])).toEqual([3]);
    expect(missing([one, two])).toEqual([1, 2]);
  });
});
