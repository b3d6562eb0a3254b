import { expect, test } from 'vitest';
import { describeEnd, describeResponse } from './response-words.ts';

const times = { responded_by: 7, responded_at: '2026-11-18T12:00:00.000Z', until: '2026-12-02T12:00:00.000Z' };
const nameOf = (id: number) => (id === 7 ? 'Tom Finch' : 'a former member of staff');

test('a response says who did what, and when', () => {
  expect(describeResponse({ ...times, response: 'done', remark: 'heard them read' }, nameOf)).toBe(
    'Done by Tom Finch on 18 November 2026: heard them read',
  );
  expect(describeResponse({ ...times, response: 'snoozed', remark: null, responded_by: 8 }, nameOf)).toBe(
    'Snoozed by a former member of staff on 18 November 2026',
  );
});

test('the end of a response depends on its kind', () => {
  expect(describeEnd({ ...times, response: 'done' })).toBe(
    'Hidden until three more reading sessions, or 2 December 2026',
  );
  expect(describeEnd({ ...times, response: 'snoozed' })).toBe('Hidden until 2 December 2026');
});
