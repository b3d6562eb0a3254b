import { expect, test } from 'vitest';
import { nameProblems, buildInitialPlan, stepsOf } from './year-end-plan.ts';

const classes = [
  { id: 1, name: 'Year 5 Jays', manager_id: 7 },
  { id: 2, name: 'Year 6 Owls', manager_id: null },
  { id: 3, name: 'Choir', manager_id: null },
];
const initialPlans = () => new Map(classes.map((schoolClass) => [schoolClass.id, buildInitialPlan(schoolClass)]));

test('classes move up, the last year leaves, and what has no year stays', () => {
  expect(stepsOf(classes, initialPlans())).toEqual([
    { step: 'moves_up', group_id: 1, from: 'Year 5 Jays', name: 'Year 6 Jays', manager_id: 7 },
    { step: 'leaves', group_id: 2, from: 'Year 6 Owls' },
  ]);
  expect(nameProblems(classes, initialPlans()).size).toBe(0);
});

test('reports a duplicate and a missing name at a class where it can be changed', () => {
  const plans = initialPlans();
  plans.set(2, { step: 'stays', name: 'Year 6 Owls', teacher: '' });
  plans.set(1, { step: 'moves_up', name: 'year 6 owls', teacher: '' });
  expect([...nameProblems(classes, plans)]).toEqual([[1, 'Two classes would be called Year 6 Owls.']]);
  plans.set(1, { step: 'moves_up', name: ' ', teacher: '' });
  expect([...nameProblems(classes, plans)]).toEqual([[1, 'Enter a name for the class.']]);
});
