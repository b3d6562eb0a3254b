import { expect, test } from 'vitest';
import { buildInitialPlan, isLastYear, nameProblems, nextName, type Proposal, stepsOf } from './year-end-plan.ts';

const classes = [
  { id: 1, name: 'Year 5 Jays', manager_id: 7 },
  { id: 2, name: 'Year 6 Owls', manager_id: null },
  { id: 3, name: 'Choir', manager_id: null },
];
const initialPlans = () => new Map(classes.map((schoolClass) => [schoolClass.id, buildInitialPlan(schoolClass)]));

test('the proposed year end moves classes up, lets the last year leave, and keeps classes without a year', () => {
  expect(stepsOf(classes, initialPlans())).toEqual([
    { step: 'moves_up', group_id: 1, from: 'Year 5 Jays', name: 'Year 6 Jays', manager_id: 7 },
    { step: 'leaves', group_id: 2, from: 'Year 6 Owls' },
  ]);
  expect(nameProblems(classes, initialPlans()).size).toBe(0);
});

const TEACHER = { manager_id: 7 };

test('the step that the school records propose comes before the one from the name of a class', () => {
  const planFor = (proposal: Omit<Proposal, 'group_id' | 'pupils'>) =>
    buildInitialPlan({ id: 1, name: 'Year 5 Jays', ...TEACHER }, [{ ...proposal, group_id: 1, pupils: 2 }]);
  expect(planFor({ step: 'moves_up', name: '6J' })).toEqual({ step: 'moves_up', name: '6J', teacher: '7' });
  expect(planFor({ step: 'stays', name: 'Year 5 Jays' })).toMatchObject({ step: 'stays', name: 'Year 5 Jays' });
  expect(planFor({ step: 'leaves', name: null })).toMatchObject({ step: 'leaves', name: 'Year 5 Jays' });
});

test('a class whose pupils the records move one by one gets its next name, unless another class has it', () => {
  const jays = { id: 1, name: 'Year 5 Jays', ...TEACHER };
  const splits: Proposal = { group_id: 1, step: 'splits', name: null, pupils: 0 };
  const other = (step: Proposal['step'], name: string): Proposal => ({ group_id: 2, step, name, pupils: 5 });
  expect(buildInitialPlan(jays, [splits])).toMatchObject({ step: 'moves_up', name: 'Year 6 Jays' });
  expect(buildInitialPlan(jays, [splits, other('joins', 'Year 6 Jays')])).toMatchObject({ step: 'moves_up' });
  for (const step of ['moves_up', 'stays'] as const)
    expect(buildInitialPlan(jays, [splits, other(step, 'YEAR 6 Jays')])).toMatchObject({
      step: 'stays',
      name: 'Year 5 Jays',
    });
});

test('a class of the last year does not leave when the records know its pupils and they stay', () => {
  const owls = { id: 1, name: 'Year 6 Owls', ...TEACHER };
  expect(buildInitialPlan(owls, [{ group_id: 1, step: 'splits', name: null, pupils: 0 }]).step).toBe('stays');
  expect(buildInitialPlan(owls, [{ group_id: 2, step: 'leaves', name: null, pupils: 3 }]).step).toBe('leaves');
});

test('a year end reports a duplicate and a missing name at a class whose name can be changed', () => {
  const plans = initialPlans();
  plans.set(2, { step: 'stays', name: 'Year 6 Owls', teacher: '' });
  plans.set(1, { step: 'moves_up', name: 'year 6 owls', teacher: '' });
  expect([...nameProblems(classes, plans)]).toEqual([[1, 'Two classes would be called Year 6 Owls.']]);
  plans.set(1, { step: 'moves_up', name: ' ', teacher: '' });
  expect([...nameProblems(classes, plans)]).toEqual([[1, 'Enter a name for the class.']]);
});

test.each([
  ['Year 3 Wrens', 'Year 4 Wrens'],
  ['year 2', 'year 3'],
  ['Y5 Swifts', 'Y6 Swifts'],
  ['3W', '4W'],
  ['3 Badgers', '4 Badgers'],
  ['Reception Robins', 'Year 1 Robins'],
  ['Robins Reception', 'Robins Year 1'],
  ['Nursery', 'Reception'],
  ['RB', '1B'],
  ['R', '1'],
  ['Kingfishers', null],
  ['Rooks', null],
  ['Class of 2026', null],
])('the class %s is proposed as %s for the next year', (name, next) => {
  expect(nextName(name)).toBe(next);
});

test.each([
  ['Year 6 Owls', true],
  ['6O', true],
  ['Year 5', false],
  ['Reception', false],
  ['Owls', false],
])('the class %s is in the last year of the school: %s', (name, isLast) => {
  expect(isLastYear(name)).toBe(isLast);
});
