import { notifyManager, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { isUnreachable } from '../shared/api-error.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/** The page shows an earlier reply, because the newest request for it failed. */
const isOutOfDate = ({ state }: Query): boolean =>
  state.data !== undefined && state.status === 'error' && isUnreachable(state.error);

const FILTERS = { type: 'active', predicate: isOutOfDate } as const;

function useIsOutOfDate(client: QueryClient): boolean {
  const cache = client.getQueryCache();
  return useSyncExternalStore(
    // In a batch, because the cache also reports queries that begin during a render.
    useCallback((onChange) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache]),
    () => cache.findAll(FILTERS).length > 0,
    () => false,
  );
}

/** Says that the page shows earlier data, which the portal could not load again. */
export function OutOfDateNotice() {
  const client = useQueryClient();
  if (!useIsOutOfDate(client)) return null;
  return (
    <Notice
      isOutcome
      kind="warning"
      title="This page may be out of date"
      action={
        <Button size="sm" variant="default" onClick={() => void client.refetchQueries(FILTERS)}>
          Try again
        </Button>
      }
    >
      We could not load the latest details.
    </Notice>
  );
}
