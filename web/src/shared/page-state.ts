import type { DehydratedState } from '@tanstack/react-query';
import type { User } from '#contract/calls/access.ts';
import { ApiError } from './api-error.ts';

/** What the server drew a page from, sent along with it. */
export interface PageState {
  user: User;
  /** On the server's clock, in milliseconds. */
  drawnAt: number;
  queries: DehydratedState;
}

/** Id of the element that holds it. */
const STATE_ID = 'page-state';

/** The state as text for a script element of the type JSON. */
export const writePageState = (state: PageState): string =>
  // In a script element `<` could begin its end.
  `<script type="application/json" id="${STATE_ID}">${JSON.stringify(state).replaceAll('<', '\\u003c')}</script>`;

/** The state of the page that the browser has loaded; null where the server drew none. */
export function takePageState(): PageState | null {
  const element = document.getElementById(STATE_ID);
  if (!element) return null;
  const state = JSON.parse(element.textContent) as PageState;
  element.remove();
  for (const { state: query } of state.queries.queries) {
    // By the clock of this browser, which may go wrong by minutes.
    if (query.dataUpdatedAt > 0) query.dataUpdatedAt = Date.now();
    if (query.error) {
      const { status, retryAfter, ...reply } = query.error as ApiError;
      query.error = new ApiError(status, reply, retryAfter);
    }
  }
  return state;
}
