import { QueryClient } from '@tanstack/react-query';
import { isRecorded } from '../shared/api-query.ts';
import { isUnreachable } from '../shared/api-error.ts';
import { isBusy } from '../shared/busy.ts';
import { getPageScope, isFirstRender } from '../shared/page-scope.ts';

/** A call that the server was too busy for has been sent again already. */
const isWorthAnotherTry = (error: unknown) => isUnreachable(error) && !isBusy(error);

/** Never fetches in the background what is recorded as a view of pupils' data: only what the user opens is a view. */
class PortalQueryClient extends QueryClient {
  override defaultQueryOptions: QueryClient['defaultQueryOptions'] = (options) => {
    const complete = super.defaultQueryOptions(options);
    return isRecorded(complete)
      ? { ...complete, refetchInterval: false, refetchOnWindowFocus: false, refetchOnReconnect: false }
      : complete;
  };
}

/** The cache of server data: one per browser page, and one per page that the server renders. */
export const createQueryClient = (): QueryClient =>
  new PortalQueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        networkMode: 'always',
        // The server does not retry, so that a page is never delayed: the browser does.
        retry: (failures, error) => !getPageScope() && failures < 1 && isWorthAnotherTry(error),
        // A query that failed on the server is first shown as failed, and fetched again later.
        retryOnMount: () => !isFirstRender(),
      },
      mutations: { networkMode: 'always' },
    },
  });
