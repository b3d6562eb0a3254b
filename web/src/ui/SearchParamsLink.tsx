import { isPlainClick, Link, type LinkProps } from './Link.tsx';
import { useLocation } from '../shared/router.ts';
import { type ParamChanges, useUpdateSearchParams } from '../shared/use-update-search-params.ts';
import { withParameters } from '../shared/url.ts';

interface Props extends Omit<LinkProps, 'to' | 'preventScrollReset'> {
  changes: ParamChanges;
}

/** A link that changes parameters of the page's URL, on top of changes that are not rendered yet. */
export function SearchParamsLink({ changes, replace = false, onClick, ...props }: Props) {
  const { pathname, search } = useLocation();
  const update = useUpdateSearchParams();
  return (
    <Link
      {...props}
      to={pathname + withParameters(search, changes)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        update(changes, { replace });
      }}
    />
  );
}
