import { expect, it } from 'vitest';
import { momentsOf, today } from './school-day.ts';

it('days begin and end by the schools’ clock', () => {
  expect(momentsOf({ from: '2026-11-01', to: '2026-11-21' })).toEqual({
    start: '2026-11-01T00:00:00.000Z',
    end: '2026-11-21T23:59:59.999Z',
  });
  expect(momentsOf({ from: '2026-06-01', to: '2026-06-01' })).toEqual({
    start: '2026-05-31T23:00:00.000Z',
    end: '2026-06-01T22:59:59.999Z',
  });
});

it('days on which the clocks change have 23 and 25 hours', () => {
  // 23 hours in spring, 25 in autumn.
  expect(momentsOf({ from: '2026-03-29', to: '2026-03-29' })).toEqual({
    start: '2026-03-29T00:00:00.000Z',
    end: '2026-03-29T22:59:59.999Z',
  });
  expect(momentsOf({ from: '2026-10-25', to: '2026-10-25' })).toEqual({
    start: '2026-10-24T23:00:00.000Z',
    end: '2026-10-25T23:59:59.999Z',
  });
});

it('today is the current day at the school', () => {
  expect(today(Date.parse('2026-06-30T23:30:00Z'))).toBe('2026-07-01');
});
