import { expect, it } from 'vitest';
import { listCoverEnds, toEnd } from './cover-ends.ts';

const labelsAt = (now: string) => listCoverEnds(Date.parse(now)).map(({ label }) => label);
const endsAt = (now: string) => listCoverEnds(Date.parse(now)).map((end) => end.endsAt);

it.each([
  ['a Tuesday morning', '2026-11-24T08:15:00Z', ['15:30 today', 'The end of today', 'Friday 27 November at 15:30']],
  ['a Tuesday at home time', '2026-11-24T15:30:00Z', ['The end of today', 'Friday 27 November at 15:30']],
  ['a Thursday', '2026-11-26T08:15:00Z', ['15:30 today', 'The end of today', '15:30 tomorrow']],
  ['a Friday morning', '2026-11-27T08:15:00Z', ['15:30 today', 'The end of today', 'Friday 4 December at 15:30']],
  ['a Friday afternoon', '2026-11-27T16:00:00Z', ['The end of today', 'Friday 4 December at 15:30']],
  ['a Friday before midnight', '2026-11-27T23:59:30Z', ['Friday 4 December at 15:30']],
  ['a Saturday', '2026-11-28T10:00:00Z', ['Monday 30 November at 15:30', 'Friday 4 December at 15:30']],
  ['a Sunday', '2026-11-29T10:00:00Z', ['15:30 tomorrow', 'Friday 4 December at 15:30']],
])('on %s a cover can end at these times', (_day, now, labels) => {
  expect(labelsAt(now)).toEqual(labels);
});

it('the ends are those of the school’s clock, in summer an hour before UTC', () => {
  expect(endsAt('2026-06-23T08:15:00Z')).toEqual([
    '2026-06-23T14:30:00.000Z',
    '2026-06-23T22:59:00.000Z',
    '2026-06-26T14:30:00.000Z',
  ]);
});

it('in the evening of a summer day it is already tomorrow in UTC an hour later than at the school', () => {
  // 23:30 on Monday 22 June at the school, and 00:30 on Tuesday.
  expect(labelsAt('2026-06-22T22:30:00Z')[0]).toBe('The end of today');
  expect(labelsAt('2026-06-22T23:30:00Z')[0]).toBe('15:30 today');
});

it.each([
  ['the spring', '2026-03-27T09:00:00Z', '2026-03-27T15:30:00.000Z', '2026-04-03T14:30:00.000Z'],
  ['the autumn', '2026-10-23T09:00:00Z', '2026-10-23T14:30:00.000Z', '2026-10-30T15:30:00.000Z'],
])(
  'before the clocks change in %s, this Friday and the next end at 15:30 of their own clock',
  (_when, now, ...fridays) => {
    const [thisFriday, , nextFriday] = endsAt(now);
    expect([thisFriday, nextFriday]).toEqual(fridays);
  },
);

it('a day and time that are typed are those of the school’s clock', () => {
  expect(toEnd('2026-07-01', '12:00')).toBe('2026-07-01T11:00:00.000Z');
  expect(toEnd('2026-12-01', '12:00')).toBe('2026-12-01T12:00:00.000Z');
});
