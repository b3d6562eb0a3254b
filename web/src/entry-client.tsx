import './ui/fonts.css';
import './ui/tokens.css';
import './ui/elements.css';
import './ui/base.css';
import { hydrate } from '@tanstack/react-query';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { RouterProvider } from './shared/router.ts';
import { accessCalls, type User } from '#contract/calls/access.ts';
import { meQuery } from './features/accounts/access/access.public.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call, onPaymentRequired, onSetUpRequired } from './shared/api-client.ts';
import { queryKeyOf } from './shared/api-query.ts';
import { beginHydration } from './shared/page-scope.ts';
import { takePageState } from './shared/page-state.ts';
import { takeLogOutDone } from './shared/log-out-cookie.ts';
import { HAS_SERVER_RENDERING } from './shared/product.ts';
import { showWithoutScript } from './shared/script-failure.ts';
import { adoptSession, endSession, getSession, noteExpiry, onSessionChange, renewUser } from './shared/session.ts';
import { onSessionReset } from './shared/session-reset.ts';
import { urlOf } from './shared/url.ts';
import { App } from './shell/App.tsx';
import { confirmSchool } from './shell/joined-school.ts';
import { createQueryClient } from './shell/query-client.ts';
import { reloadRestoredPages } from './shell/restored-page.ts';
import { createRouter } from './shell/router.tsx';
import { watchSession } from './shell/watch-session.ts';

// The content security policy forbids and reports the code that zod would generate for schemas.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// The browser can answer input between the modules and the start.
await new Promise((resolve) => setTimeout(resolve));

const root = document.getElementById('root')!;
const isServerRendered = root.hasChildNodes();
const queryClient = createQueryClient();
const state = takePageState();
if (state) {
  beginHydration(state.renderedAt);
  adoptSession(state.user);
  queryClient.setQueryData(meQuery().queryKey, { user: state.user });
  hydrate(queryClient, state.queries);
} else if (HAS_SERVER_RENDERING) {
  // The server did not render a user's page, so the browser has no session: the user has logged out, or it has expired.
  if (!takeLogOutDone()) noteExpiry();
  endSession();
  if (isServerRendered) beginHydration(Date.now());
} else if (!getSession()) {
  // The user has logged in on a page without the app, or is a guest.
  const response = await fetch(urlOf(accessCalls.getMe.path)).catch(() => undefined);
  if (response?.ok) adoptSession(((await response.json()) as { user: User }).user);
}

confirmSchool();
const router = await createRouter(queryClient, isServerRendered || state !== null).catch((error: unknown) => {
  // The page's own script did not load; the server has rendered the page.
  showWithoutScript();
  throw error;
});
watchSession(router);
// The guard redirects to the step as soon as the user is up to date.
onSetUpRequired(() => {
  const sessionKey = getSession()?.key;
  call(accessCalls.getMe).then(
    ({ user }) => sessionKey && renewUser(sessionKey, user),
    () => undefined,
  );
});

// The guard redirects to the payment or the packages as soon as the school is up to date.
onPaymentRequired(() => void queryClient.invalidateQueries({ queryKey: queryKeyOf(schoolCalls.getSchool) }));

// Another user or school must not show the previous one's data.
onSessionReset(() => queryClient.clear());
// The layout shows the reply of getMe, which each login renews.
onSessionChange(() => {
  const session = getSession();
  if (session) queryClient.setQueryData(meQuery().queryKey, { user: session.user });
});
reloadRestoredPages();

const app = (
  <App client={queryClient}>
    <RouterProvider router={router} />
  </App>
);
if (!isServerRendered) createRoot(root).render(app);
// Hydrates in pieces, so that the browser can respond to input meanwhile. The links and forms of a page in a browser
// that is too old work without it.
else if (!window.isTooOld) startTransition(() => void hydrateRoot(root, app));
