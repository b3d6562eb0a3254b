import { expect, it } from 'vitest';
import { chooseRange, PRESETS, presetOf, tidyRange } from './date-range.ts';

const TODAY = '2026-03-01';

it.each([
  ['Today', '2026-03-01', '2026-03-01'],
  ['Yesterday', '2026-02-28', '2026-02-28'],
  ['Last 7 days', '2026-02-23', '2026-03-01'],
  ['Last 30 days', '2026-01-31', '2026-03-01'],
  ['This month', '2026-03-01', '2026-03-01'],
  ['Last month', '2026-02-01', '2026-02-28'],
  ['This year', '2026-01-01', '2026-03-01'],
  ['Last year', '2025-01-01', '2025-12-31'],
] as const)('%s runs from %s to %s', (name, from, to) => {
  expect(PRESETS[name](TODAY)).toEqual({ from, to });
});

it('the range of dates is that of the URL, else the stored one, else the current month', () => {
  const stored = { from: '2025-05-01', to: '2025-05-31' };
  expect(chooseRange(new URLSearchParams('from=2026-01-02&to=2026-01-03'), stored, TODAY)).toEqual({
    from: '2026-01-02',
    to: '2026-01-03',
  });
  expect(chooseRange(new URLSearchParams(), stored, TODAY)).toEqual(stored);
  expect(chooseRange(new URLSearchParams(), 'Last 7 days', TODAY)).toEqual({ from: '2026-02-23', to: TODAY });
  expect(chooseRange(new URLSearchParams('from=x&to=2026-02-30'), { from: 1 }, '2026-03-15')).toEqual({
    from: '2026-03-01',
    to: '2026-03-15',
  });
});

it('a range of dates is between 2018 and today', () => {
  expect(tidyRange('2010-01-01', '2030-01-01', TODAY)).toEqual({ from: '2018-01-01', to: TODAY });
  expect(tidyRange('2026-02-02', '2026-02-01', TODAY)).toBeNull();
  expect(tidyRange('2026-02-30', '2026-02-28', TODAY)).toBeNull();
  expect(tidyRange('2026-03-02', '2026-03-03', TODAY)).toBeNull();
});

it('a range of dates has the name of the preset with the same days', () => {
  expect(presetOf({ from: '2026-02-23', to: TODAY }, TODAY)).toBe('Last 7 days');
  expect(presetOf({ from: '2026-02-22', to: TODAY }, TODAY)).toBeNull();
});
