import { expect, test } from 'vitest';
import { describeProposal, type PlannedRecords, recordsInWords, remainingInWords } from './records-text.ts';
import type { Proposal } from './year-end-plan.ts';

const records = (counts: Partial<PlannedRecords>): PlannedRecords => ({
  state: 'planned',
  run_id: 9,
  recognised: 0,
  joiners: 0,
  returners: 0,
  movers: 0,
  leavers: 0,
  questions: 0,
  staff: 0,
  classes: [],
  ...counts,
});

test('planned records are summed up by the pupils that they know, and what they leave out is not counted', () => {
  expect(recordsInWords(records({ recognised: 84, joiners: 28, movers: 60, leavers: 29, questions: 3 }))).toBe(
    '84 pupils recognised, 28 join, 29 leave, 3 questions',
  );
  expect(recordsInWords(records({ recognised: 1, joiners: 1, returners: 1, leavers: 1, questions: 1 }))).toBe(
    '1 pupil recognised, 1 joins, 1 returns, 1 leaves, 1 question',
  );
  expect(recordsInWords(records({}))).toBe('0 pupils recognised');
});

test('what is left of planned records after a year end includes changes of class', () => {
  expect(remainingInWords(records({ recognised: 84, joiners: 28, movers: 2, questions: 3 }))).toBe(
    '28 join, 2 changes of class, 3 questions',
  );
  expect(remainingInWords(records({ returners: 2, movers: 1, leavers: 1 }))).toBe(
    '2 return, 1 change of class, 1 leaves',
  );
  expect(remainingInWords(records({ recognised: 84, staff: 2 }))).toBe('');
});

test.each([
  ['moves_up', '4W', 24, 'From the school records: 24 of 26 pupils go to 4W.'],
  ['stays', 'Oak', 1, 'From the school records: 1 of 26 pupils stays.'],
  ['leaves', null, 20, 'From the school records: 20 of 26 pupils leave.'],
  [
    'joins',
    '4W',
    13,
    'From the school records: 13 of 26 pupils go to 4W, which another class becomes. The school records move each of them.',
  ],
  ['splits', null, 0, 'The pupils of this class go to several classes. The school records move each of them.'],
] as const)('a class that %s by the school records is explained with its pupils', (step, name, pupils, text) => {
  const proposal: Proposal = { group_id: 1, step, name, pupils };
  expect(describeProposal(proposal, 26)).toBe(text);
});
