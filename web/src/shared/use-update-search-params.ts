import { useCallback, useContext } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext, useLocation, useNavigate } from './router.ts';
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
  const router = useContext(DataRouterContext)?.router;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return useCallback(
    (changes, { replace = false } = {}) => {
      if (!router) return false;
      const target = router.state.navigation.location ?? router.state.location;
      const current = new URLSearchParams(target.search);
      const next = withParameters(current, changes);
      if (target.pathname !== pathname || String(next) === String(current)) return false;
      void navigate({ search: String(next) }, { replace, preventScrollReset: true });
      return true;
    },
    [router, navigate, pathname],
  );
}
