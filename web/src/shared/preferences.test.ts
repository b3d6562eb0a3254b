import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPreferences } from './preferences.ts';

it('the preferences are read from their cookie, and other cookies are ignored', () => {
  const value = encodeURIComponent('{"rows":25,"range":"Last 7 days"}');
  expect(readPreferences(`session=a; preferences=${value}; more=b`)).toEqual({ rows: 25, range: 'Last 7 days' });
});

it('an invalid cookie of preferences is ignored', () => {
  expect(readPreferences('')).toEqual({});
  expect(readPreferences('preferences=%E0%A4%A; preferences2=1')).toEqual({});
  expect(readPreferences('preferences=null')).toEqual({});
  fc.assert(fc.property(fc.string(), (text) => typeof readPreferences(`preferences=${text}`) === 'object'));
});
