import { expect, test } from 'vitest';
import { buildInitialPlan, isLastYear, nameProblems, nextName, stepsOf } from './year-end-plan.ts';

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
