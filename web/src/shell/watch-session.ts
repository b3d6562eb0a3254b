import { paths } from '../paths.ts';
import { type EndReason, onLeave } from '../shared/ended-session.ts';
import { getSession, onSessionChange } from '../shared/session.ts';

/** The query that leads back to this screen after a login. */
const wayBack = (action: EndReason) => {
  const { pathname, search } = window.location;
  const isScreen = pathname !== paths.login() && pathname + search !== paths.dashboard();
  return { ...(isScreen && { redirect: pathname + search }), action };
};

/** Leaves the page when the session has ended, and gives another user a page with nothing of the previous one. */
export function watchSession(router: { navigate: (to: string) => Promise<void> }): () => void {
  onLeave({
    toLogout: (reason) => {
      if (window.location.pathname !== paths.logout()) void router.navigate(paths.logout(reason && wayBack(reason)));
    },
    toLogin: () => window.location.assign(paths.login(wayBack('session-ended'))),
  });
  let user = getSession()?.user.id;
  return onSessionChange(() => {
    const now = getSession()?.user.id;
    if (user !== undefined && now !== undefined && now !== user) window.location.replace(paths.dashboard());
    user = now;
  });
}
