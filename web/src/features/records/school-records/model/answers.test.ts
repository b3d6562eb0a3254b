import { expect, it } from 'vitest';
import { answerAllSame, countAdded, countChanges, NO_CHOICES, toAnswers } from './answers.ts';

const candidate = (id: number) => ({ id, name: 'Ada Bell', class: null, is_archived: false });
const question = (source_id: string, ...ids: number[]) => ({
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
    is_confirmed: false,
  });
  const plan = {
    classes: [],
    joiners: [question('x'), question('y')],
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
    on_hold: null,
  };
  expect(countChanges(plan, choices)).toBe(5);
  expect(countAdded(plan, choices)).toBe(2);
});
