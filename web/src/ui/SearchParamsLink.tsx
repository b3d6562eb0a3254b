import { Link, type LinkProps } from './Link.tsx';
import { useSearchParams } from '../shared/router.ts';
import { type ParamChanges, useUpdateSearchParams } from '../shared/use-update-search-params.ts';
import { withParameters } from '../shared/url.ts';

interface Props extends Omit<LinkProps, 'to' | 'preventScrollReset'> {
  changes: ParamChanges;
}

/** A link that changes parameters of the page's URL, on top of changes that are not rendered yet. */
export function SearchParamsLink({ changes, replace = false, onClick, ...props }: Props) {
  const [query] = useSearchParams();
  const update = useUpdateSearchParams();
  return (
    <Link
      {...props}
      to={{ search: String(withParameters(query, changes)) }}
      replace={replace}
      preventScrollReset
      onClick={(event) => {
        onClick?.(event);
        const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
        if (event.defaultPrevented || opensElsewhere) return;
        event.preventDefault();
        update(changes, { replace });
      }}
    />
  );
}
