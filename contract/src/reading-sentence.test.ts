import { expect, test } from 'vitest';
import { describeNeed, describeWhoHasRead, describeWhoRead } from './reading-sentence.ts';

test.each([
  [0, 1, 'The one pupil did not read last week', 'The one pupil has not read yet this week'],
  [1, 1, 'The one pupil read last week', 'The one pupil has read this week'],
  [0, 2, 'No one read last week', 'No one has read yet this week'],
  [1, 2, '1 of 2 read last week', '1 of 2 has read this week'],
  [2, 2, 'All 2 read last week', 'All 2 have read this week'],
  [2, 3, '2 of 3 read last week', '2 of 3 have read this week'],
  [1200, 1200, 'All 1,200 read last week', 'All 1,200 have read this week'],
])('the sentence is right when %i of %i pupils read', (active, pupils, past, current) => {
  const week = { pupils, readers: active };
  expect([describeWhoRead(week, 'last week'), describeWhoHasRead(week)]).toEqual([past, current]);
});

test('the sentence counts the pupils in need in words up to nine', () => {
  expect([0, 1, 2, 9, 10].map(describeNeed)).toEqual([
    'No one needs you',
    'One needs you',
    'Two need you',
    'Nine need you',
    '10 need you',
  ]);
});
