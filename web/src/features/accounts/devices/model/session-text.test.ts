import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deviceName, lastUse } from './session-text.ts';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-18T12:00:00.000Z') }));
afterEach(() => void vi.useRealTimers());

it.each([
  ['Chrome', 'Windows', 'Chrome on Windows'],
  ['Chrome', null, 'Chrome'],
  [null, 'Linux', 'A program on Linux'],
  [null, null, 'Unknown device'],
])('names %s and %s', (browser, system, name) => {
  expect(deviceName({ browser, system })).toBe(name);
});

it.each([
  [true, '2026-11-17T23:30:00.000Z', 'Used in the last hour'],
  [false, '2026-11-18T00:10:00.000Z', 'Last used today'],
  [false, '2026-11-17T23:50:00.000Z', 'Last used on 17 November 2026'],
])('describes a use (recent: %s) at %s', (is_recent, last_used_at, text) => {
  expect(lastUse({ is_recent, last_used_at })).toBe(text);
});
