import { getSession } from '../shared/session.ts';
import { showToast } from '../ui/toasts.ts';

/** Confirms to a user who has accepted an invitation that they have joined the school. The server's redirect adds `#joined`. */
export function confirmJoining(): void {
  if (window.location.hash !== '#joined') return;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  const school = getSession()?.user.enterprise;
  if (school) showToast(`You have joined ${school.name}`);
}
