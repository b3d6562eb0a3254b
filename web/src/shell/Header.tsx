import { IconLogout, IconMenu2 } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { Link } from '../ui/Link.tsx';
import type { User } from '#contract/calls/access.ts';
import { ROLE_TEXTS, type Role } from '#contract/permissions.ts';
import { formatDayOfYear, formatTime } from '../shared/format.ts';
import { homeFor } from '../shared/guard.ts';
import { dayOf, today } from '../shared/school-day.ts';
import { isSupplyTeacher } from '../shared/supply-teacher.ts';
import { LogOutForm } from '../ui/LogOutForm.tsx';
import { Brand } from './Brand.tsx';
import { CommandPalette } from './CommandPalette.tsx';
import { HelpLinks } from './HelpLinks.tsx';
import { IconButton } from '../ui/Button.tsx';
import { Sticky } from '../ui/Sticky.tsx';
import css from './Header.module.css';

interface Props {
  user: User;
  /** The path of the screen, whose help the header links to. */
  screen: string | undefined;
  onMenu: () => void;
  isMenuOpen: boolean;
  menuButton: RefObject<HTMLButtonElement | null>;
}

/** The product's name, the search, the help, the user and Log out. */
export function Header({ user, screen, onMenu, isMenuOpen, menuButton }: Props) {
  const badge = <RoleBadge role={user.role ?? 'teacher'} />;
  return (
    <Sticky edge="header" as="header" className={`${css.header} no-print`}>
      <div className={css.parts}>
        <IconButton
          ref={menuButton}
          className={`with-script ${css.menu}`}
          aria-label="Menu"
          aria-expanded={isMenuOpen}
          aria-haspopup="dialog"
          onClick={onMenu}
        >
          <IconMenu2 size={24} aria-hidden />
        </IconButton>
        <a href="#navigation" className={`without-script ${css.tool} ${css.menu}`} aria-label="Menu">
          <IconMenu2 size={24} aria-hidden />
        </a>
        <Link to={homeFor(user)} className={`tall ${css.home}`}>
          <Brand />
        </Link>
        <CommandPalette />
        <HelpLinks screen={screen} />
        <div className={css.person}>
          <span className={`one-line ${css.name}`} title={user.full_name}>
            {user.full_name}
          </span>
          {isSupplyTeacher(user) ? (
            <span className={css.role}>
              {badge}
              <AccessEnd user={user} />
            </span>
          ) : (
            badge
          )}
          <LogOutForm>
            <button type="submit" className={`${css.tool} ${css.logout}`}>
              <IconLogout size={20} aria-hidden />
              <span>Log out</span>
            </button>
          </LogOutForm>
        </div>
      </div>
    </Sticky>
  );
}

/** Until when a supply teacher has access to a class: a time today, or a day. */
function AccessEnd({ user: { covers } }: { user: User }) {
  const end = covers.at(-1)?.ends_at;
  if (end === undefined) return null;
  return (
    <span className="small soft nowrap">until {dayOf(end) === today() ? formatTime(end) : formatDayOfYear(end)}</span>
  );
}

/** The role in capitals. Admins and teachers have the specification's text, the others theirs through CSS. */
function RoleBadge({ role }: { role: Role }) {
  if (role === 'admin' || role === 'teacher')
    return <span className={css.badge}>{role === 'admin' ? 'ADMIN' : 'TEACHER'}</span>;
  const { name } = ROLE_TEXTS[role];
  return (
    <span className={`one-line ${css.badge} ${css.other}`} title={name}>
      {name}
    </span>
  );
}
