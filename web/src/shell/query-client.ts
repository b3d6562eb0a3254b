import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../shared/api-error.ts';

const isWorthAnotherTry = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** What the screens know of the server: one of a browser's page. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        networkMode: 'always',
        retry: (failures, error) => failures < 1 && isWorthAnotherTry(error),
      },
      mutations: { networkMode: 'always' },
    },
  });
