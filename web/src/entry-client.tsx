import './ui/mantine.css';
import 'virtual:theme.css';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import { hydrate } from '@tanstack/react-query';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { accessCalls } from '#contract/calls/access.ts';
import { meQuery } from './features/access/access.public.ts';
import { paths } from './paths.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call, onPaymentRequired, onSetUpRequired, onUnauthorised } from './shared/api-client.ts';
import { queryKeyOf } from './shared/api-query.ts';
import { beginHydration } from './shared/page-scope.ts';
import { takePageState } from './shared/page-state.ts';
import { DRAWS_PAGES } from './shared/product.ts';
import { adoptSession, endSession, getSession, onSessionChange, renewUser } from './shared/session.ts';
import { App } from './shell/App.tsx';
import { createQueryClient } from './shell/query-client.ts';
import { createRouter } from './shell/router.tsx';

// The schemas of forms would try to compile themselves, which the content security policy forbids and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const queryClient = createQueryClient();
const state = takePageState();
if (state) {
  beginHydration(state.drawnAt);
  adoptSession(state.user);
  queryClient.setQueryData(meQuery().queryKey, { user: state.user });
  hydrate(queryClient, state.queries);
} else if (DRAWS_PAGES) {
  // The server has drawn nothing, so the browser has no session there.
  endSession();
}

const router = await createRouter(queryClient, state !== null);
onUnauthorised(() => void router.navigate(paths.logout()));
// Once the newer facts are here, the guard leads to the step.
onSetUpRequired(() => {
  const held = getSession()?.key;
  call(accessCalls.getMe).then(
    ({ user }) => held && renewUser(held, user),
    () => undefined,
  );
});

// Once the newer state of the school is here, the guard leads to the payment or the packages.
onPaymentRequired(() => void queryClient.invalidateQueries({ queryKey: queryKeyOf(schoolCalls.getSchool) }));

let key = getSession()?.key;
onSessionChange(() => {
  const now = getSession()?.key;
  // What one person saw is nothing for the next one.
  if (now !== key) queryClient.clear();
  key = now;
});

const root = document.getElementById('root')!;
const app = (
  <App client={queryClient}>
    <RouterProvider router={router} />
  </App>
);
// In pieces: what somebody does meanwhile comes first.
if (root.hasChildNodes()) startTransition(() => void hydrateRoot(root, app));
else createRoot(root).render(app);
