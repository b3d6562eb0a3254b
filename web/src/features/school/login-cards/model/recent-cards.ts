import { currentTime } from '../../../../shared/page-scope.ts';
import { readStored, store } from '../../../../shared/storage.ts';
import { useStored } from '../../../../shared/use-stored.ts';

/** New logins that a user requested in this browser: the link back to them while they are available. */
export interface RecentCards {
  userId: number;
  /** The ID of the reset, which opens the logins for this user only. */
  resetId: string;
  pupilIds: number[];
  /** When they were requested. */
  at: number;
}

const KEY = 'portal.recent-cards';
/** How long the logins are available. */
const LIFE_MS = 24 * 3_600_000;
const MAX_CARDS = 20;

const isRecent = (value: unknown, now: number): value is RecentCards => {
  const cards = value as RecentCards | null;
  return (
    typeof cards?.resetId === 'string' &&
    Array.isArray(cards.pupilIds) &&
    typeof cards.at === 'number' &&
    // Pages take the time from the server when they load, so cards may seem to be some seconds in the future.
    Math.abs(now - cards.at) < LIFE_MS
  );
};

const recentOf = (stored: unknown, now: number): RecentCards[] =>
  Array.isArray(stored) ? stored.filter((cards) => isRecent(cards, now)) : [];

/** The user's new logins of the last day, the newest first. */
export const recentCardsOf = (stored: unknown, userId: number, now: number): RecentCards[] =>
  recentOf(stored, now).filter((cards) => cards.userId === userId);

/** The user's new logins of the last day, the newest first; none while the page hydrates. */
export const useRecentCards = (userId: number): RecentCards[] => recentCardsOf(useStored(KEY), userId, currentTime());

export function keepRecentCards(cards: RecentCards, now = currentTime()): void {
  // Newer logins of the same pupils replace earlier ones.
  const otherCards = recentOf(readStored(KEY), now).filter(
    ({ resetId, pupilIds }) => resetId !== cards.resetId && !pupilIds.every((id) => cards.pupilIds.includes(id)),
  );
  store(KEY, [cards, ...otherCards].slice(0, MAX_CARDS));
}

/** Hides the link back to these logins. */
export function forgetRecentCards(resetId: string, now = currentTime()): void {
  const otherCards = recentOf(readStored(KEY), now).filter((cards) => cards.resetId !== resetId);
  store(KEY, otherCards.length > 0 ? otherCards : null);
}
