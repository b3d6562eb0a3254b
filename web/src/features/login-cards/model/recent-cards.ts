import { currentTime } from '../../../shared/page-scope.ts';
import { readStored, store, useStored } from '../../../shared/storage.ts';

/** New logins that somebody asked for in this browser: the way back to them while they last. */
export interface RecentCards {
  userId: number;
  /** The id of the reset: it opens the logins for this person alone. */
  resetId: string;
  pupilIds: number[];
  /** When they were asked for. */
  at: number;
}

const KEY = 'portal.recent-cards';
/** So long the logins can be fetched. */
const LIFE_MS = 24 * 3_600_000;
const MOST = 20;

const isRecent = (value: unknown, now: number): value is RecentCards => {
  const one = value as RecentCards | null;
  return (
    typeof one?.resetId === 'string' &&
    Array.isArray(one.pupilIds) &&
    typeof one.at === 'number' &&
    now - one.at >= 0 &&
    now - one.at < LIFE_MS
  );
};

const recentOf = (stored: unknown, now: number): RecentCards[] =>
  Array.isArray(stored) ? stored.filter((one) => isRecent(one, now)) : [];

/** The person's new logins of the last day, the newest first. */
export const recentCardsOf = (stored: unknown, userId: number, now: number): RecentCards[] =>
  recentOf(stored, now).filter((one) => one.userId === userId);

/** The person's new logins of the last day, the newest first; none while the page hydrates. */
export const useRecentCards = (userId: number): RecentCards[] => recentCardsOf(useStored(KEY), userId, currentTime());

export function keepRecentCards(cards: RecentCards, now = Date.now()): void {
  // Newer logins of the same pupils end those of before.
  const others = recentOf(readStored(KEY), now).filter(
    ({ resetId, pupilIds }) => resetId !== cards.resetId && !pupilIds.every((id) => cards.pupilIds.includes(id)),
  );
  store(KEY, [cards, ...others].slice(0, MOST));
}

/** Hides the way back to these logins. */
export function forgetRecentCards(resetId: string, now = Date.now()): void {
  const others = recentOf(readStored(KEY), now).filter((one) => one.resetId !== resetId);
  store(KEY, others.length > 0 ? others : null);
}
