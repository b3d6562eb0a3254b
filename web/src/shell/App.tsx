import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useEffect, type ReactNode } from 'react';
import { replayEarlyInput } from '../shared/early-input.ts';
import { Toasts } from '../ui/Toasts.tsx';
import { theme } from '../ui/theme.ts';

/** What is around the router, on the server and in the browser. */
export function App({ client, children }: { client: QueryClient; children: ReactNode }) {
  // After the effects of all that is inside: everything listens.
  useEffect(replayEarlyInput, []);
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        {/* The variables stand in the style sheet. */}
        <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false} defaultColorScheme="auto">
          {children}
          <Toasts />
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}
