import { type ComponentProps, type MouseEvent, use } from 'react';
import { navigateTo, RouterContext } from '../shared/router.ts';

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** A path of the app, with its query and fragment. */
  to: string;
  /** Replaces the entry in the browser's history. By default only a link to the current URL does. */
  replace?: boolean | undefined;
  /** Keeps the scroll position. */
  preventScrollReset?: boolean | undefined;
}

/** False for clicks with which a browser opens a link in another tab or window, or saves it. */
export const isPlainClick = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;

/** A link to another screen, which opens without loading a document. A change of the location does not render it again. */
export function Link({ to, replace, preventScrollReset, onClick, children, ...props }: LinkProps) {
  const router = use(RouterContext);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!router || event.defaultPrevented || props.target || !isPlainClick(event)) return;
    event.preventDefault();
    void navigateTo(router, to, { ...(replace !== undefined && { replace }), preventScrollReset });
  };
  return (
    <a {...props} href={to} onClick={follow}>
      {children}
    </a>
  );
}
