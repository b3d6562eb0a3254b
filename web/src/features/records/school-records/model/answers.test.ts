import { expect, it } from 'vitest';
import type { SchoolRecordsPlan } from '#contract/calls/school-records.ts';
import { answerAllSame, countAdded, countChanges, NO_CHOICES, toAnswers } from './answers.ts';

const candidate = (id: number) => ({ id, name: 'Ada Bell', class: null, is_archived: false });
const question = (source_id: string, ...ids: number[]): SchoolRecordsPlan['questions'][number] => ({
  source_id,
  pupil: null,
  name: 'Ada Bell',
  class: null,
  candidates: ids.map(candidate),
});

it('answering that all are the same pupils uses each pupil once', () => {
  const answers = answerAllSame([question('a', 1, 2), question('b', 1, 2), question('c', 1)]);
  expect([...answers]).toEqual([
    ['a', '1'],
    ['b', '2'],
    ['c', ''],
  ]);
});

it('applying a plan sends the answers, and leaves out questions without an answer', () => {
  const choices = {
    ...NO_CHOICES,
    leavers: new Set([4]),
    leftOut: new Set(['y']),
    merges: new Map([
      ['a', '1'],
      ['b', 'new'],
      ['c', ''],
    ]),
    classes: new Map([
      ['a', 'k1'],
      ['b', ''],
    ]),
  };
  expect(toAnswers('v', choices)).toEqual({
    version: 'v',
    leavers: [4],
    left_out: ['y'],
    merges: [
      { source_id: 'a', pupil: 1 },
      { source_id: 'b', pupil: null },
    ],
    classes: [{ source_id: 'a', class: 'k1' }],
    invites: [],
    removed_staff: [],
    kept_staff: [],
    is_confirmed: false,
  });
});

const row = (source_id: string, more: { pupil?: number; class?: string; name?: string } = {}) => ({
  source_id,
  pupil: null,
  name: 'Ada Bell',
  class: null,
  ...more,
});
const planOf = (part: Partial<SchoolRecordsPlan>): SchoolRecordsPlan => ({
  classes: [],
  joiners: [],
  returners: [],
  movers: [],
  names: [],
  leavers: [],
  differences: [],
  recognised: [],
  questions: [],
  choices: [],
  elsewhere: [],
  rejected: [],
  staff: [],
  missing_staff: [],
  on_hold: null,
  ...part,
});

it('joiners who are left out do not count, and neither does a new class in which no one would be', () => {
  const plan = planOf({
    joiners: [row('x', { class: 'Wrens' }), row('y', { class: 'Owls' })],
    classes: [
      { name: 'Wrens', from: null },
      { name: 'Owls', from: null },
      { name: 'Larks', from: 'Robins' },
    ],
  });
  expect([countChanges(plan, NO_CHOICES), countAdded(plan, NO_CHOICES)]).toEqual([5, 2]);
  const choices = { ...NO_CHOICES, leftOut: new Set(['y']) };
  expect([countChanges(plan, choices), countAdded(plan, choices)]).toEqual([3, 1]);
});

it('a recognised pupil counts for a new name and class alone, and as one joiner if they are another child', () => {
  const plan = planOf({
    recognised: [row('a', { pupil: 1 }), row('b', { pupil: 2 })],
    movers: [{ ...row('a', { pupil: 1, class: 'Owls' }), from: 'Wrens' }],
    names: [{ ...row('a', { pupil: 1, name: 'Ada Hart' }), from: 'Ada Bell' }],
  });
  expect([countChanges(plan, NO_CHOICES), countAdded(plan, NO_CHOICES)]).toEqual([2, 0]);
  const choices = { ...NO_CHOICES, merges: new Map([['a', 'new']]) };
  expect([countChanges(plan, choices), countAdded(plan, choices)]).toEqual([1, 1]);
});

it('the answer to a question counts for what it changes', () => {
  const plan = planOf({
    questions: [
      { ...question('a', 1), class: 'Owls' },
      { ...question('b', 2), name: 'Ada Hart' },
      question('c', 3),
      question('d', 4),
    ],
  });
  const choices = {
    ...NO_CHOICES,
    merges: new Map([
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
      ['d', 'new'],
    ]),
  };
  expect([countChanges(plan, choices), countAdded(plan, choices)]).toEqual([3, 1]);
});

it('a chosen class counts as a change of class, but not for a pupil who joins with it', () => {
  const classes = [{ source_id: 'k', name: 'Owls' }];
  const plan = planOf({
    joiners: [row('new')],
    choices: [
      { ...row('known', { pupil: 1 }), classes },
      { ...row('new'), classes },
    ],
  });
  const choices = {
    ...NO_CHOICES,
    classes: new Map([
      ['known', 'k'],
      ['new', 'k'],
    ]),
  };
  expect(countChanges(plan, choices)).toBe(2);
});

it('leavers and staff count once they are ticked', () => {
  const choices = { ...NO_CHOICES, leavers: new Set([4]), invites: new Set(['a@school.example']) };
  expect(countChanges(planOf({}), choices)).toBe(2);
});
