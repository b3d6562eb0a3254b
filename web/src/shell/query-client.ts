import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../shared/api-error.ts';
import { getPageScope, isFirstDrawing } from '../shared/page-scope.ts';

const isWorthAnotherTry = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** What the screens know of the server: one for each page of a browser, and for each page that is drawn. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        networkMode: 'always',
        // A page that is drawn is not held up: the browser asks again.
        retry: (failures, error) => !getPageScope() && failures < 1 && isWorthAnotherTry(error),
        // What failed on the server is shown as failed first; later it is asked for again.
        retryOnMount: () => !isFirstDrawing(),
      },
      mutations: { networkMode: 'always' },
    },
  });
