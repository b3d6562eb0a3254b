import { type QueryKey, useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import { createContext, use, useState } from 'react';

/** The path of the screen, as `routes.tsx` declares it. */
export const ScreenPath = createContext('(no screen)');

type PrefetchedResult<T> = Pick<UseQueryResult<T>, 'refetch' | 'isFetching' | 'isPlaceholderData'> &
  ({ data: T; error: Error | null } | { data: undefined; error: Error });

/**
 * Reads a query that the screen declares in `routes.tsx`: its loader has fetched it, so there is data or an error.
 * When the URL's search parameters change the query, pass `placeholderData`, because the loader does not run again.
 */
export function usePrefetchedQuery<T, K extends QueryKey>(
  options: UseQueryOptions<T, Error, T, K>,
): PrefetchedResult<T> {
  const path = use(ScreenPath);
  const query = useQuery({ ...options, retryOnMount: false });
  const { data } = query;
  // A retry clears the error before there is data.
  const [lastError, setLastError] = useState(query.error);
  if (query.error && query.error !== lastError) setLastError(query.error);
  const error = query.error ?? lastError;
  if (data === undefined && !error)
    throw new Error(
      `The screen ${path} reads ${String(options.queryKey[0])}, which is not in its queries (routes.tsx).`,
    );
  // Getters, so that a component renders only when what it reads has changed.
  return {
    data,
    error: data === undefined ? error : query.error,
    refetch: query.refetch,
    get isFetching() {
      return query.isFetching;
    },
    get isPlaceholderData() {
      return query.isPlaceholderData;
    },
  } as PrefetchedResult<T>;
}
