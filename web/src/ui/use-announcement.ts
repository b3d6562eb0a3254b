import { useEffect, useRef } from 'react';
import { announce } from '../shared/announcements.ts';
import { useDelayed } from './use-delayed.ts';

/** Loading that is shorter needs no words. */
const LONG_LOADING_MS = 1_000;

/**
 * Announces a text whenever it changes. What a page shows first is read as part of the page.
 * @param cause such as the words of a search: the same result of another search is announced too
 */
export function useAnnouncement(text: string | false | null | undefined, cause?: string): void {
  const last = useRef({ text, cause });
  useEffect(() => {
    if (text === last.current.text && cause === last.current.cause) return;
    last.current = { text, cause };
    if (text) announce(text);
  }, [text, cause]);
}

/** Announces that something is loading, if it takes long: `Loading words`. */
export const useLoadingAnnouncement = (isLoading: boolean, text: string): void =>
  useAnnouncement(useDelayed(isLoading, LONG_LOADING_MS) && text);
