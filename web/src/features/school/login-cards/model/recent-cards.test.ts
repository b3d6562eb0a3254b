import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readStored } from '../../../../shared/storage.ts';
import { forgetRecentCards, keepRecentCards, recentCardsOf, type RecentCards } from './recent-cards.ts';

const kept = new Map<string, string>();
beforeEach(() =>
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  }),
);
afterEach(() => {
  kept.clear();
  vi.unstubAllGlobals();
});

const HOUR = 3_600_000;
const cards = (resetId: string, pupilIds: number[], at = 0, userId = 1): RecentCards => ({
  userId,
  resetId,
  pupilIds,
  at,
});
const idsOf = (userId: number, now: number) =>
  recentCardsOf(readStored('portal.recent-cards'), userId, now).map(({ resetId }) => resetId);

test('recent login cards are listed with the newest first, for the user who requested them and for a day', () => {
  keepRecentCards(cards('a', [1]), 0);
  keepRecentCards(cards('b', [2], HOUR), HOUR);
  keepRecentCards(cards('c', [3], HOUR, 2), HOUR);
  expect(idsOf(1, 2 * HOUR)).toEqual(['b', 'a']);
  expect(idsOf(2, 2 * HOUR)).toEqual(['c']);
  expect(idsOf(1, 24 * HOUR)).toEqual(['b']);
});

test('newer login cards of the same pupils replace earlier ones', () => {
  keepRecentCards(cards('a', [1, 2]), 0);
  keepRecentCards(cards('b', [3]), 0);
  keepRecentCards(cards('c', [1, 2, 4], 1), 1);
  expect(idsOf(1, 1)).toEqual(['c', 'b']);
});

test('recent login cards lose those that were hidden, and an invalid stored value is an empty list', () => {
  keepRecentCards(cards('a', [1]), 0);
  forgetRecentCards('a', 0);
  expect(idsOf(1, 0)).toEqual([]);
  expect(kept.size).toBe(0);
  kept.set('portal.recent-cards', '{"a": 1}');
  expect(idsOf(1, 0)).toEqual([]);
  kept.set('portal.recent-cards', '[null, 7, {"resetId": "x"}]');
  expect(idsOf(1, 0)).toEqual([]);
});

test('recent login cards are shown on a page whose clock is some seconds behind, but not a day behind', () => {
  keepRecentCards(cards('a', [1], 24 * HOUR), 24 * HOUR);
  expect(idsOf(1, 24 * HOUR - 20_000)).toEqual(['a']);
  expect(idsOf(1, 0)).toEqual([]);
});
