import { use, useCallback } from 'react';
import { getTarget, navigateTo, RouterContext, useLocation } from './router.ts';
import { withParameters } from './url.ts';

/** New values by parameter; null removes one. */
export type ParamChanges = Readonly<Record<string, string | null>>;

export type UpdateSearchParams = (changes: ParamChanges, options?: { replace?: boolean }) => boolean;

/**
 * Changes parameters of the page's URL. The function starts from the URL that the router has reached or is
 * navigating to, because the rendered one lags behind: two quick changes both count. It returns false where
 * nothing changes, and where the router is leaving the page.
 */
export function useUpdateSearchParams(): UpdateSearchParams {
  const router = use(RouterContext);
  const { pathname } = useLocation();
  return useCallback(
    (changes, { replace = false } = {}) => {
      if (!router) return false;
      const target = getTarget(router);
      const search = withParameters(target.search, changes);
      if (target.pathname !== pathname || search === withParameters(target.search, {})) return false;
      void navigateTo(router, pathname + search, { replace, preventScrollReset: true });
      return true;
    },
    [router, pathname],
  );
}
