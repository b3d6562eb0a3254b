import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useEffect, type ReactNode } from 'react';
import { replayEarlyInput } from '../shared/early-input.ts';
import { StatusRegion } from '../ui/StatusRegion.tsx';
import { LogInAgainHost } from './LogInAgainHost.tsx';
import { ProofHost } from './ProofHost.tsx';
import { SwitchBackHost } from './SwitchBackHost.tsx';

/** Wraps the router, on the server and in the browser. */
export function App({ client, children }: { client: QueryClient; children: ReactNode }) {
  // Runs after the effects of everything inside, when all event listeners are attached, and after React's own work: only
  // then does each event render before the next, whose handler reads what the one before has changed.
  useEffect(() => queueMicrotask(replayEarlyInput), []);
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        {children}
        <ProofHost />
        <LogInAgainHost />
        <SwitchBackHost />
        <StatusRegion />
      </QueryClientProvider>
    </StrictMode>
  );
}
