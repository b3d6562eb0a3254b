import { createContext, useContext } from 'react';

/** How often a page that stays open is updated. */
export const PAGE_REFETCH_INTERVAL_MS = 30_000;

const RefetchInterval = createContext<number | false>(false);

/** Gives the queries below it an interval. TanStack Query pauses it while the page is hidden. */
export const RefetchIntervalProvider = RefetchInterval.Provider;

/** The interval of the page that a component is part of; false on pages that are not updated while they are open. */
export const useRefetchInterval = (): number | false => useContext(RefetchInterval);
