import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Outlet, useLocation, useMatches } from 'react-router';
import { meQuery } from '../features/access/access.public.ts';
import { schoolQuery } from '../features/school/school.public.ts';
import type { SchoolAccess } from '#contract/school-access.ts';
import type { AppRoute } from '../routes.tsx';
import { renewUser, type Session, useSession } from '../shared/session.ts';
import { RootCrumb } from '../ui/PageHeader.tsx';
import { SkipLink } from '../ui/SkipLink.tsx';
import { UndoFailure } from '../ui/UndoFailure.tsx';
import { Banners } from './Banners.tsx';
import { GuestLayout } from './GuestLayout.tsx';
import { startOf } from './guard.ts';
import { Header } from './Header.tsx';
import css from './AppLayout.module.css';
import { NavigationDrawer } from './NavigationDrawer.tsx';
import { Sidebar } from './Sidebar.tsx';
import { HelpLinks } from './HelpLinks.tsx';

/** The top of the breadcrumb: the dashboard, or where a school begins whose state closes it. */
const rootCrumbOf = (access: SchoolAccess) => ({
  text: { open: 'Dashboard', none: 'Choose a package', expired: 'Your subscription', locked: 'Payment required' }[
    access
  ],
  to: startOf(access),
});

/** Header, sidebar and the page. Guests see the page alone, which sends them to the login or says that it is none. */
export function AppLayout() {
  const session = useSession();
  if (session?.user.require_email_confirmation) return <HeldFrame session={session} />;
  return session?.user.enterprise ? <Frame session={session} /> : <GuestLayout />;
}

/** For somebody who reaches their own account alone: nothing that leads elsewhere. */
function HeldFrame({ session }: { session: Session }) {
  useFreshUser(session);
  return <GuestLayout />;
}

function Frame({ session }: { session: Session }) {
  const user = useFreshUser(session);
  const school = useQuery(schoolQuery(user.enterprise_id ?? 0)).data?.enterprise;
  const access = school?.access ?? 'open';
  const rootCrumb = useMemo(() => rootCrumbOf(access), [access]);
  const { pathname } = useLocation();
  const [menuOn, setMenuOn] = useState<string | null>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const screen = useMatches().at(-1)?.handle as AppRoute | undefined;
  // The menu belongs to the page it was opened on: following a link closes it.
  const isMenuOpen = menuOn === pathname;
  const closeMenu = () => setMenuOn(null);

  return (
    <div className={css.frame}>
      <SkipLink />
      <Header user={user} onMenu={() => setMenuOn(pathname)} isMenuOpen={isMenuOpen} menuButton={menuButton} />
      <div className={css.side}>
        <Sidebar user={user} school={school} />
      </div>
      <NavigationDrawer isOpen={isMenuOpen} onClose={closeMenu}>
        <Sidebar user={user} school={school} onFollow={closeMenu} />
      </NavigationDrawer>
      <main id="content" tabIndex={-1} className={css.content} data-body={screen?.body}>
        <p className={`without-script ${css.scriptless}`}>
          You can look things up here. To change something the portal needs JavaScript, which your browser has not run.
        </p>
        <Banners user={user} school={school} />
        <div className={css.page}>
          <HelpLinks screen={screen?.path} />
          <UndoFailure />
          <RootCrumb value={rootCrumb}>
            <Outlet />
          </RootCrumb>
        </div>
      </main>
    </div>
  );
}

/** The signed-in person: the stored snapshot at once, the server's word as soon as it is there. */
function useFreshUser({ key, user }: Session) {
  const { data } = useQuery(meQuery());
  const fresh = data?.user;
  useEffect(() => {
    if (fresh) renewUser(key, fresh);
  }, [fresh, key]);
  return user;
}
