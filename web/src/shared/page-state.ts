import type { DehydratedState } from '@tanstack/react-query';
import type { User } from '#contract/calls/access.ts';
import { ApiError } from './api-error.ts';

/** What the server rendered a page from. */
export interface PageState {
  user: User;
  /** By the server's clock, in milliseconds. */
  renderedAt: number;
  queries: DehydratedState;
}

/** ID of the script element. */
const STATE_ID = 'page-state';

/** The state as a script element of type JSON. */
export const writePageState = (state: PageState): string =>
  // `<` could start the closing tag.
  `<script type="application/json" id="${STATE_ID}">${JSON.stringify(state).replaceAll('<', '\\u003c')}</script>`;

/** The state of the loaded page; null where the server rendered none. */
export function takePageState(): PageState | null {
  const element = document.getElementById(STATE_ID);
  if (!element) return null;
  const state = JSON.parse(element.textContent) as PageState;
  element.remove();
  for (const { state: query } of state.queries.queries) {
    // Freshness is measured by this browser's clock, which may be minutes off.
    if (query.dataUpdatedAt > 0) query.dataUpdatedAt = Date.now();
    if (query.error) {
      const { status, retryAfter, ...reply } = query.error as ApiError;
      query.error = new ApiError(status, reply, retryAfter);
    }
  }
  return state;
}
