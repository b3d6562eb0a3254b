import { expect, test } from 'vitest';
import type { StagedPupil } from '../../../database/column-types.ts';
import { planChanges } from './plan.service.ts';
import { NO_ANSWERS, type SchoolRecords, type SchoolState } from './state.service.ts';
import { proposeYearEnd } from './year-end-proposal.service.ts';

/** Where a pupil goes by the records: IDs of classes; null for one who is missing, undefined for one who is unknown. */
type Goal = string | null | undefined;
interface SchoolClass {
  id: number;
  name: string;
  /** The ID under which the records had the class before. */
  sourceId?: string;
  goals: readonly Goal[];
}

const repeat = (count: number, goal: Goal): Goal[] => Array.from({ length: count }, () => goal);

const FAMILY_NAMES = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const nameOf = (id: number) =>
  `Ada ${FAMILY_NAMES[Math.floor(id / 26)] ?? ''}${FAMILY_NAMES[id % 26] ?? ''}`.toUpperCase();

/** A school that applied records before, and the records that it has now. */
function build(classes: readonly SchoolClass[], names: Record<string, string>) {
  const pupils = classes.flatMap(({ id: classId, goals }) => goals.map((goal) => ({ classId, goal })));
  const numbered = pupils.map((pupil, index) => ({ ...pupil, id: index + 1, name: nameOf(index + 1) }));
  const known = numbered.filter(({ goal }) => goal !== undefined);
  const state: SchoolState = {
    pupils: numbered.map(({ id, name, classId }) => ({ id, name, classId, isArchived: false, yearGroup: null })),
    classes: classes.map(({ id, name }) => ({ id, name })),
    links: known.map(({ id, name, classId }) => ({
      sourceId: `p${id}`,
      pupilId: id,
      name,
      classId,
      yearGroup: null,
      upn: null,
      birth: null,
      hasLeft: false,
    })),
    classLinks: classes.flatMap(({ id, name, sourceId }) => (sourceId ? [{ sourceId, classId: id, name }] : [])),
    otherLinks: [],
    otherClassIds: [],
    staff: [],
    staffEmails: new Set(),
    isLeavingSeason: true,
  };
  const records: SchoolRecords = {
    isComplete: true,
    pupils: known.flatMap(({ id, name, goal }): StagedPupil[] =>
      goal
        ? [
            {
              sourceId: `p${id}`,
              name,
              yearGroup: null,
              classIds: goal.split(' '),
              upn: null,
              birth: null,
              isGone: false,
            },
          ]
        : [],
    ),
    classes: Object.entries(names).map(([sourceId, name]) => ({ sourceId, name, isHomeroom: true })),
    staff: [],
    unclearStaff: null,
    notes: [],
  };
  return { state, records };
}
const propose = (classes: readonly SchoolClass[], names: Record<string, string>) => {
  const { state, records } = build(classes, names);
  return proposeYearEnd(state, planChanges(records, state, NO_ANSWERS)).map(({ group_id: id, step, name, pupils }) => [
    id,
    step,
    name,
    pupils,
  ]);
};

test('a class moves up to the name to which most of its pupils go, and leaves when half of them have left', () => {
  const classes: SchoolClass[] = [
    { id: 1, name: '4W', goals: [...repeat(3, 'k5'), 'k6'] },
    { id: 2, name: '5W', goals: [...repeat(2, 'k6'), undefined, undefined] },
    { id: 3, name: '6W', goals: ['k6', 'k6', null, null] },
    { id: 4, name: 'Choir', goals: [] },
  ];
  expect(propose(classes, { k5: '5W', k6: '6W' })).toEqual([
    [1, 'moves_up', '5W', 3],
    [2, 'moves_up', '6W', 2],
    [3, 'leaves', null, 2],
  ]);
});

test('two classes whose pupils change places exchange their names at a year end', () => {
  const classes = [
    { id: 1, name: 'Wrens', sourceId: 'w', goals: repeat(2, 'o') },
    { id: 2, name: 'Owls', sourceId: 'o', goals: repeat(2, 'w') },
  ];
  expect(propose(classes, { w: 'Wrens', o: 'Owls' })).toEqual([
    [1, 'moves_up', 'Owls', 2],
    [2, 'moves_up', 'Wrens', 2],
  ]);
});

test('of classes that merge, the one with most of the pupils gets the name, and at a tie the lower ID', () => {
  const classes = (first: number) => [
    { id: 1, name: '3W', goals: repeat(first, 'k') },
    { id: 2, name: '3X', goals: repeat(3, 'k') },
  ];
  expect(propose(classes(2), { k: '4W' })).toEqual([
    [1, 'joins', '4W', 2],
    [2, 'moves_up', '4W', 3],
  ]);
  expect(propose(classes(3).toReversed(), { k: '4W' })).toEqual([
    [1, 'moves_up', '4W', 3],
    [2, 'joins', '4W', 3],
  ]);
  expect(propose([{ id: 1, name: '4W', goals: repeat(3, 'k') }, ...classes(2).slice(1)], { k: '4w' })).toEqual([
    [1, 'stays', '4W', 3],
    [2, 'joins', '4W', 3],
  ]);
});

test('a class whose pupils go to several classes splits when fewer than half go to one', () => {
  const goals = [...repeat(2, 'a'), ...repeat(2, 'b')];
  const names = { a: '4A', b: '4B', c: '4C' };
  expect(propose([{ id: 1, name: '3', goals }], names)).toEqual([[1, 'moves_up', '4A', 2]]);
  expect(propose([{ id: 1, name: '3', goals: [...goals, 'c'] }], names)).toEqual([[1, 'splits', null, 0]]);
});

test('a class that the records rename under the same ID moves up to its new name', () => {
  const classes = [
    { id: 1, name: '3W', sourceId: 'w', goals: repeat(2, 'w') },
    { id: 2, name: '4W', sourceId: 'x', goals: repeat(2, 'x') },
    { id: 3, name: 'Nurture', sourceId: 'n', goals: repeat(2, 'n') },
  ];
  expect(propose(classes, { w: '4W', x: '5W', n: 'Nurture' })).toEqual([
    [1, 'moves_up', '4W', 2],
    [2, 'moves_up', '5W', 2],
    [3, 'stays', 'Nurture', 2],
  ]);
});

test('nothing is proposed for a class of which the records know less than half', () => {
  const classes = [
    { id: 1, name: '3W', goals: repeat(3, undefined) },
    { id: 2, name: '3X', goals: [...repeat(2, undefined), 'k'] },
  ];
  expect(propose(classes, { k: '4W' })).toEqual([]);
});

test('records in which most classes stay propose nothing, because they are those of the current year', () => {
  const classes = (last: Goal) => [
    { id: 1, name: '3W', goals: repeat(2, 'a') },
    { id: 2, name: '4W', goals: repeat(2, 'b') },
    { id: 3, name: '5W', goals: [last] },
    { id: 4, name: '6W', goals: [null] },
  ];
  const names = { a: '3W', b: '4W', c: '5W' };
  expect(propose(classes('c'), names)).toEqual([]);
  expect(propose(classes('b'), names).map(([, step]) => step)).toEqual(['stays', 'stays', 'joins', 'leaves']);
});

test('a pupil with several classes, or with a class that was changed here, counts for none', () => {
  const { state, records } = build([{ id: 1, name: '3W', goals: ['a b', 'a', 'a', 'a'] }], { a: '4A', b: '4B' });
  const moved = state.links.map((link) => (link.sourceId === 'p2' ? { ...link, classId: 9 } : link));
  const edited = { ...state, links: moved };
  expect(proposeYearEnd(edited, planChanges(records, edited, NO_ANSWERS))).toEqual([
    { group_id: 1, step: 'moves_up', name: '4A', pupils: 2 },
  ]);
});

/** The school after a year end that follows the proposals. */
function applyYearEnd(state: SchoolState, records: SchoolRecords): SchoolState {
  const proposals = new Map(
    proposeYearEnd(state, planChanges(records, state, NO_ANSWERS)).map((proposal) => [proposal.group_id, proposal]),
  );
  const isLeaving = (id: number | null) => proposals.get(id ?? 0)?.step === 'leaves';
  return {
    ...state,
    classes: state.classes.flatMap(({ id, name }) => {
      const proposal = proposals.get(id);
      if (isLeaving(id)) return [];
      return [{ id, name: proposal?.step === 'moves_up' ? (proposal.name ?? name) : name }];
    }),
    classLinks: state.classLinks.filter(({ classId }) => !isLeaving(classId)),
    pupils: state.pupils.map((pupil) =>
      isLeaving(pupil.classId) ? { ...pupil, classId: null, isArchived: true } : pupil,
    ),
  };
}

/** Year 4 to 6: one pupil of Year 4 and one of Year 5 repeat the year. */
const yearsWith = (ids: readonly [string, string, string], before: readonly string[]) => {
  const [k4, k5, k6] = ids;
  return build(
    [
      { id: 1, name: '4W', sourceId: before[0] ?? '', goals: [...repeat(3, k5), k4] },
      { id: 2, name: '5W', sourceId: before[1] ?? '', goals: [...repeat(3, k6), k5] },
      { id: 3, name: '6W', sourceId: before[2] ?? '', goals: repeat(3, null) },
    ],
    { [k4]: '4W', [k5]: '5W', [k6]: '6W' },
  );
};

test.each([
  ['belong to a name', ['k4', 'k5', 'k6'], ['k4', 'k5', 'k6']],
  ['move up with the pupils', ['new', 'k4', 'k5'], ['k4', 'k5', 'k6']],
  ['are new each year', ['new4', 'new5', 'new6'], ['k4', 'k5', 'k6']],
  ['have never been read', ['k4', 'k5', 'k6'], []],
] as const)(
  'after the proposed year end only single pupils change class when IDs of classes %s',
  (_case, ids, before) => {
    const { state, records } = yearsWith(ids, before);
    const after = applyYearEnd(state, records);
    expect(after.classes.map(({ name }) => name)).toEqual(['5W', '6W']);
    const { plan, classLinks } = planChanges(records, after, NO_ANSWERS);
    expect(plan.movers.map(({ pupil, from, class: to }) => [pupil, from, to])).toEqual([
      [4, '5W', '4W'],
      [8, '6W', '5W'],
    ]);
    expect(plan.classes).toEqual([{ name: '4W', from: null }]);
    expect([plan.leavers, plan.differences]).toEqual([[], []]);
    // The links follow, so that a later new name of a class reaches it.
    const linked = classLinks.map(({ sourceId, target }) => [sourceId, 'id' in target ? target.id : target.newKey]);
    expect(new Map(linked as [string, number | string][])).toEqual(
      new Map<string, number | string>([
        [ids[1], 1],
        [ids[2], 2],
        [ids[0], '4w'],
      ]),
    );
  },
);

test('records of a few pupils find the classes of earlier records by their names after a year end', () => {
  const { state, records } = yearsWith(['k4', 'k5', 'k6'], ['k4', 'k5', 'k6']);
  const after = applyYearEnd(state, records);
  const few = { ...records, isComplete: false, classes: [], pupils: records.pupils.slice(4, 8) };
  const { plan } = planChanges(few, after, NO_ANSWERS);
  expect(plan.movers.map(({ pupil, class: to }) => [pupil, to])).toEqual([[8, '5W']]);
});

test('a class that was only renamed here stays the class of its ID', () => {
  const { state, records } = build([{ id: 1, name: '3W', sourceId: 'w', goals: ['w', 'w'] }], { w: '3W' });
  const renamed = { ...state, classes: [{ id: 1, name: 'Wrens' }] };
  expect(planChanges(records, renamed, NO_ANSWERS).plan).toMatchObject({ movers: [], classes: [] });
  const other = { ...records, classes: [{ sourceId: 'w', name: '4W', isHomeroom: true }] };
  expect(planChanges(other, renamed, NO_ANSWERS).plan).toMatchObject({
    movers: [],
    classes: [],
    differences: [{ field: 'class_name', here: 'Wrens', there: '4W' }],
  });
});
