import './ui/mantine.css';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { accessCalls } from '#contract/calls/access.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { paths } from './paths.ts';
import { call, onPaymentRequired, onSetUpRequired, onUnauthorised } from './shared/api-client.ts';
import { queryKeyOf } from './shared/api-query.ts';
import { preloadsSettled } from './shared/preloaded-responses.ts';
import { getSession, onSessionChange, renewUser } from './shared/session.ts';
import { createQueryClient } from './shell/query-client.ts';
import { createRouter } from './shell/router.tsx';
import { Toasts } from './ui/Toasts.tsx';
import { cssVariables, theme } from './ui/theme.ts';

const queryClient = createQueryClient();
const router = createRouter(queryClient);
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

/** So long the first picture waits for what it shows, which is under way since before this script. */
const WORTH_WAITING_MS = 300;

const isRouted = new Promise<void>((resolve) => {
  const see = ({ initialized }: { initialized: boolean }) => initialized && resolve();
  see(router.state);
  router.subscribe(see);
});
// A page that is drawn once is there sooner than one drawn empty and then filled.
await Promise.race([
  Promise.all([isRouted, preloadsSettled()]),
  new Promise((resolve) => setTimeout(resolve, WORTH_WAITING_MS)),
]);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <RouterProvider router={router} />
        <Toasts />
      </MantineProvider>
    </QueryClientProvider>
  </StrictMode>,
);
