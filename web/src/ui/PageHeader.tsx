import { createContext, use, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Link } from './Link.tsx';
import { useLocation } from '../shared/router.ts';
import { PRODUCT_NAME } from '../shared/product.ts';
import { rememberVisit } from '../shared/recent-visits.ts';
import { Actions } from './Actions.tsx';
import css from './PageHeader.module.css';

interface Crumb {
  text: string;
  to: string;
}

/** The root of the breadcrumb; none outside the shell. */
export const RootCrumb = createContext<Crumb | null>(null);

interface Props {
  /** The page's one `h1`, and its title in the browser. */
  title: string;
  /** Longer or livelier content of the `h1`; `title` stays what the browser shows. */
  children?: ReactNode;
  /** The pages above this one, from the top. */
  crumbs?: readonly Crumb[];
  /** Buttons at the side. */
  actions?: ReactNode;
  /** A sentence under the title. */
  lead?: ReactNode;
}

/** The header of a page: breadcrumb, title and actions. Takes the focus after a navigation, so that screen readers start here. */
export function PageHeader({ title, children, crumbs = [], actions, lead }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const root = use(RootCrumb);
  // The home of some roles is itself above their other pages.
  const rootIndex = crumbs.findIndex(({ to }) => to === root?.to);
  const above = rootIndex >= 0 ? crumbs.slice(rootIndex) : [...(root && root.to !== pathname ? [root] : []), ...crumbs];
  const shown = useRef(key === 'default' ? pathname : null);

  // Before the page is painted: a field that the user presses at once keeps the focus.
  useLayoutEffect(() => {
    if (shown.current !== pathname) heading.current?.focus({ preventScroll: true });
    shown.current = pathname;
  }, [pathname]);

  useEffect(() => {
    if (root) rememberVisit({ to: pathname, name: title });
  }, [root, pathname, title]);

  return (
    <header className="below-2xl">
      <title>{`${title} – ${PRODUCT_NAME}`}</title>
      {(root || above.length > 0) && (
        <nav aria-label="Breadcrumb" className={`${css.crumbs} no-print`}>
          <ol className="plain">
            {above.map((crumb) => (
              <li key={crumb.to}>
                <Link to={crumb.to}>{crumb.text}</Link>
              </li>
            ))}
            <li aria-current="page">{title}</li>
          </ol>
        </nav>
      )}
      <div className={`row ${css.line}`}>
        <h1 ref={heading} tabIndex={-1}>
          {children ?? title}
        </h1>
        {actions && <Actions>{actions}</Actions>}
      </div>
      {lead && <p className="soft large flat above-s">{lead}</p>}
    </header>
  );
}
