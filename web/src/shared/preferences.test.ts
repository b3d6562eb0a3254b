import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPreferences } from './preferences.ts';

it('reads the preferences and ignores other cookies', () => {
  const value = encodeURIComponent('{"rows":25,"range":"Last 7 days"}');
  expect(readPreferences(`session=a; preferences=${value}; more=b`)).toEqual({ rows: 25, range: 'Last 7 days' });
});

it('ignores a cookie that is not a preference', () => {
  expect(readPreferences('')).toEqual({});
  expect(readPreferences('preferences=%E0%A4%A; preferences2=1')).toEqual({});
  expect(readPreferences('preferences=null')).toEqual({});
  fc.assert(fc.property(fc.string(), (text) => typeof readPreferences(`preferences=${text}`) === 'object'));
});
