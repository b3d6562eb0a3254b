import { type DataRouter, getTarget, navigateTo } from '../shared/router.ts';
import { type EndReason, paths } from '../paths.ts';
import { onLeave } from '../shared/ended-session.ts';
import { getSession, hasSwitched, onSessionChange } from '../shared/session.ts';
import { openCurrentSchool } from '../shared/switched-school.ts';

type Router = Pick<DataRouter, 'navigate' | 'state'>;

/** The query that leads to the screen that the user sees, or is opening, after a login. */
function wayBack(router: Router, action: EndReason) {
  const { pathname, search } = getTarget(router);
  const isScreen = pathname !== paths.login() && pathname + search !== paths.dashboard();
  return { ...(isScreen && { redirect: pathname + search }), action };
}

/** Leaves the page when the session has ended, and gives another user or school a page with nothing of the previous one. */
export function watchSession(router: Router): () => void {
  onLeave({
    toLogout: (reason) => {
      if (getTarget(router).pathname === paths.logout()) return;
      void navigateTo(router, paths.logout(reason && wayBack(router, reason)));
    },
    toLogin: () => window.location.assign(paths.login(wayBack(router, 'session-ended'))),
  });
  let user = getSession()?.user;
  return onSessionChange(() => {
    const now = getSession()?.user;
    if (user && now && now.id !== user.id) window.location.replace(paths.dashboard());
    if (user && now && hasSwitched(user, now)) openCurrentSchool();
    user = now;
  });
}
