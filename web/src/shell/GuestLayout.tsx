import { Link } from '../ui/Link.tsx';
import type { ReactNode } from 'react';
import { Outlet } from '../shared/router.ts';
import { paths } from '../paths.ts';
import { ReleaseLine } from '../ui/ReleaseLine.tsx';
import { SkipLink } from '../ui/SkipLink.tsx';
import { otherSchools } from '../shared/own-schools.ts';
import { useSession } from '../shared/session.ts';
import { Brand } from './Brand.tsx';
import css from './GuestLayout.module.css';
import { SwitchSchoolLink } from './SwitchSchoolLink.tsx';
import { WithoutScriptNote } from './WithoutScriptNote.tsx';

/**
 * A single column under the product's name, for guests and for the steps before the portal opens.
 * @param children a page that works without scripts; the router's screen when absent
 */
export function GuestLayout({ children }: { children?: ReactNode }) {
  const user = useSession()?.user;
  return (
    <div className={css.frame}>
      <SkipLink />
      <header className={css.header}>
        <Link to={paths.dashboard()} className={`tall ${css.home}`}>
          <Brand />
        </Link>
        {user && otherSchools(user).length > 0 && (
          <p className="row flat">
            <strong>{user.enterprise?.name}</strong>
            <SwitchSchoolLink user={user} className="tall" />
          </p>
        )}
      </header>
      <main id="content" tabIndex={-1} className={`sheet ${css.content}`}>
        {children ?? (
          <>
            <WithoutScriptNote />
            <Outlet />
          </>
        )}
      </main>
      <footer className={`${css.footer} no-print`}>
        <nav aria-label="Legal">
          <Link to={paths.licence()}>Licence</Link>
          <Link to={paths.terms()}>Terms</Link>
          <Link to={paths.privacy()}>Privacy</Link>
          <Link to={paths.accessibility()}>Accessibility</Link>
        </nav>
        <ReleaseLine />
      </footer>
    </div>
  );
}
