import { onSessionReset } from './session-reset.ts';

/** A text for screen readers. Each has its own ID, so that the same text is read again. */
export interface Announcement {
  id: number;
  text: string;
}

/** Screen readers miss a text that is added while a dialog opens or closes. */
const DELAY_MS = 100;
/** More at once would be noise. */
const MAX_AT_ONCE = 3;

let announcements: readonly Announcement[] = [];
let waiting: readonly string[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

// They name children.
onSessionReset(() => {
  waiting = [];
  change([]);
});

function change(next: readonly Announcement[]): void {
  announcements = next;
  for (const listener of listeners) listener();
}

function sayWaiting(): void {
  const texts = waiting;
  waiting = [];
  if (texts.length > 0) change(texts.map((text) => ({ id: nextId++, text })));
}

/** Has screen readers read out the outcome of an action. It replaces the previous announcements. */
export function announce(text: string): void {
  if (waiting.length === 0) setTimeout(sayWaiting, DELAY_MS);
  waiting = [...waiting, text].slice(-MAX_AT_ONCE);
}

/** Removes the announcements, because the user has gone to another page or dialog. */
export function clearAnnouncements(): void {
  if (announcements.length > 0) change([]);
}

export const getAnnouncements = (): readonly Announcement[] => announcements;

export function onAnnouncements(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
