import { getSession } from '../shared/session.ts';

/**
 * The browser's back/forward cache restores a page as it was left, although its user may have logged out since or
 * another user may have logged in. Such a page is hidden when it is left, and loaded again when it is restored.
 */
export function reloadRestoredPages(): void {
  window.addEventListener('pagehide', () => {
    if (getSession()) document.documentElement.style.visibility = 'hidden';
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && document.documentElement.style.visibility === 'hidden') location.reload();
  });
}
