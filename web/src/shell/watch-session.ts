import type { DataRouter } from '../shared/router.ts';
import { paths } from '../paths.ts';
import { type EndReason, onLeave } from '../shared/ended-session.ts';
import { getSession, onSessionChange } from '../shared/session.ts';

type Router = Pick<DataRouter, 'navigate' | 'state'>;

/** The query that leads to the screen that the user sees, or is opening, after a login. */
function wayBack({ state }: Router, action: EndReason) {
  const { pathname, search } = state.navigation.location ?? state.location;
  const isScreen = pathname !== paths.login() && pathname + search !== paths.dashboard();
  return { ...(isScreen && { redirect: pathname + search }), action };
}

/** Leaves the page when the session has ended, and gives another user a page with nothing of the previous one. */
export function watchSession(router: Router): () => void {
  onLeave({
    toLogout: (reason) => {
      const { navigation, location } = router.state;
      if ((navigation.location ?? location).pathname === paths.logout()) return;
      void router.navigate(paths.logout(reason && wayBack(router, reason)));
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
