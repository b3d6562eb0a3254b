import { getSession } from '../shared/session.ts';
import { showToast } from '../ui/toasts.ts';

const SENTENCES: Record<string, string | undefined> = {
  '#joined': 'You have joined',
  '#switched': 'You have switched to',
};

/**
 * Confirms to a user that they have joined a school, to whose page the server has redirected them, or switched to another.
 * The mark is in the page's address.
 */
export function confirmSchool(): void {
  const sentence = SENTENCES[window.location.hash];
  if (sentence === undefined) return;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  const school = getSession()?.user.enterprise;
  if (school) showToast(`${sentence} ${school.name}`);
}
