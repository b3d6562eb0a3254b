import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Outlet, useLocation, useMatches } from '../shared/router.ts';
import { meQuery } from '../features/accounts/access/access.public.ts';
import { schoolQuery } from '../features/school/school/school.public.ts';
import type { User } from '#contract/calls/access.ts';
import type { SchoolAccess } from '#contract/school-access.ts';
import type { AppRoute } from '../routes.tsx';
import { renewUser, type Session, useSession } from '../shared/session.ts';
import { isSupplyTeacher } from '../shared/supply-teacher.ts';
import { RootCrumb } from '../ui/PageHeader.tsx';
import { SkipLink } from '../ui/SkipLink.tsx';
import { UndoFailure } from '../ui/UndoFailure.tsx';
import { Banners } from './Banners.tsx';
import { GuestLayout } from './GuestLayout.tsx';
import { paths } from '../paths.ts';
import { homeFor, startOf } from '../shared/guard.ts';
import { Header } from './Header.tsx';
import css from './AppLayout.module.css';
import { NavigationDrawer } from './NavigationDrawer.tsx';
import { OutOfDateNotice } from './OutOfDateNotice.tsx';
import { Sidebar } from './Sidebar.tsx';
import { useCoverEnd } from './use-cover-end.ts';
import { WithoutScriptNote } from './WithoutScriptNote.tsx';

const HOME_NAMES: Readonly<Record<string, string>> = {
  [paths.dashboard()]: 'Dashboard',
  [paths.subscription()]: 'Subscription',
  [paths.dataAndPrivacy()]: 'Data and privacy',
  [paths.school()]: 'School',
};

/** The first breadcrumb: the user's home, or the start page of a school whose state closes `teaching`. */
function rootCrumbOf(access: SchoolAccess, user: User) {
  // A supply teacher's home is a class, which is below this page.
  if (isSupplyTeacher(user)) return { text: 'Classes', to: paths.classes() };
  const home = HOME_NAMES[homeFor(user)] ?? '';
  const names: Record<SchoolAccess, string> = {
    open: home,
    none: 'Choose a package',
    expired: 'Your subscription',
    locked: 'Payment required',
    closed: home,
    support: 'School',
  };
  return { text: names[access], to: startOf(access, user) };
}

/** Header, sidebar and page. Guests see only the page, which sends them to the login or is the 404 page. */
export function AppLayout() {
  const session = useSession();
  const isHeld = session?.user.require_email_confirmation || session?.user.enterprise?.terms_accepted_at === null;
  if (session && isHeld) return <RestrictedFrame session={session} />;
  return session?.user.enterprise ? <Frame session={session} /> : <GuestLayout />;
}

/** For a user who can open only their own account or schools: no links to anywhere else. */
function RestrictedFrame({ session }: { session: Session }) {
  useFreshUser(session);
  return <GuestLayout />;
}

function Frame({ session }: { session: Session }) {
  const user = useFreshUser(session);
  useCoverEnd(user);
  const school = useQuery(schoolQuery(user.enterprise_id ?? 0)).data?.enterprise;
  const access = school?.access ?? 'open';
  const rootCrumb = useMemo(() => rootCrumbOf(access, user), [access, user]);
  const { pathname } = useLocation();
  const [menuOn, setMenuOn] = useState<string | null>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const screen = useMatches().at(-1)?.handle as AppRoute | undefined;
  // The menu belongs to the page it was opened on, so following a link closes it.
  const isMenuOpen = menuOn === pathname;
  const closeMenu = () => setMenuOn(null);

  return (
    <div className={css.frame}>
      <SkipLink />
      <Header
        user={user}
        screen={screen?.path}
        onMenu={() => setMenuOn(pathname)}
        isMenuOpen={isMenuOpen}
        menuButton={menuButton}
      />
      <div id="navigation" className={`sticky-column ${css.side} no-print`}>
        <Sidebar user={user} school={school} />
      </div>
      <NavigationDrawer isOpen={isMenuOpen} onClose={closeMenu}>
        <Sidebar user={user} school={school} onFollow={closeMenu} />
      </NavigationDrawer>
      <main id="content" tabIndex={-1} className={css.content} data-body={screen?.body}>
        <WithoutScriptNote />
        <Banners user={user} school={school} />
        <div className={css.page}>
          <OutOfDateNotice />
          <UndoFailure />
          <RootCrumb value={rootCrumb}>
            <Outlet />
          </RootCrumb>
        </div>
      </main>
    </div>
  );
}

/** The signed-in user: the stored copy first, then the server's. */
function useFreshUser({ key, user }: Session) {
  const { data } = useQuery(meQuery());
  const fresh = data?.user;
  useEffect(() => {
    if (fresh) renewUser(key, fresh);
  }, [fresh, key]);
  return user;
}
