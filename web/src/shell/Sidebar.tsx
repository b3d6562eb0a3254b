import { Link } from '../ui/Link.tsx';
import { useLocation } from '../shared/router.ts';
import type { User } from '#contract/calls/access.ts';
import type { School } from '#contract/calls/school.ts';
import { currentItemPath, navigationFor } from './navigation.ts';
import css from './Sidebar.module.css';
import { SwitchSchoolLink } from './SwitchSchoolLink.tsx';

interface Props {
  user: User;
  school: School | undefined;
  /** Called when a link is followed, so that a drawer can close. */
  onFollow?: () => void;
}

/** The school's name and links to every area. */
export function Sidebar({ user, school, onFollow }: Props) {
  const sections = navigationFor(user, school);
  const current = currentItemPath(useLocation().pathname, sections);
  return (
    <nav aria-label="Main" className={css.nav}>
      <p className={css.school}>
        {school?.name ?? user.enterprise?.name}{' '}
        <SwitchSchoolLink user={user} className={css.switch} onFollow={onFollow} />
      </p>
      {sections.map((section) => (
        <section key={section.title} aria-label={section.title}>
          <h2 className={css.title}>{section.title}</h2>
          <ul className="plain">
            {section.items.map(({ text, to, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  className={css.link}
                  onClick={onFollow}
                  aria-current={to === current ? 'page' : undefined}
                >
                  <Icon size={20} aria-hidden />
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
