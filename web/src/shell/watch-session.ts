import { type DataRouter, getTarget, navigateTo } from '../shared/router.ts';
import { paths } from '../paths.ts';
import { type EndReason, onLeave } from '../shared/ended-session.ts';
import { getSession, onSessionChange } from '../shared/session.ts';

type Router = Pick<DataRouter, 'navigate' | 'state'>;

/** The query that leads to the screen that the user sees, or is opening, after a login. */
function wayBack(router: Router, action: EndReason) {
  const { pathname, search } = getTarget(router);
  const isScreen = pathname !== paths.login() && pathname + search !== paths.dashboard();
  return { ...(isScreen && { redirect: pathname + search }), action };
}

/** Leaves the page when the session has ended, and gives another user a page with nothing of the previous one. */
export function watchSession(router: Router): () => void {
  onLeave({
    toLogout: (reason) => {
      if (getTarget(router).pathname === paths.logout()) return;
      void navigateTo(router, paths.logout(reason && wayBack(router, reason)));
    },
    toLogin: () => window.location.assign(paths.login(wayBack(router, 'session-ended'))),
  });
  let user = getSession()?.user.id;
  return onSessionChange(() => {
    const now = getSession()?.user.id;
    if (user !== undefined && now !== undefined && now !== user) window.location.replace(paths.dashboard());
    user = now;
  });
}
