import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { useSession } from '../shared/session.ts';
import css from './ImpersonationBanner.module.css';

/** At the foot of the window, on every page, while an operator works as a member of staff: names both. */
export function ImpersonationBanner() {
  const user = useSession()?.user;
  if (!user?.impersonated_by) return null;
  return (
    <section className={css.banner} aria-label="Logged in as another person">
      <p>
        <strong>{user.impersonated_by.full_name}</strong>, you are logged in as <strong>{user.full_name}</strong>
        {user.enterprise && ` of ${user.enterprise.name}`}. We record everything you do under both names.
      </p>
      <Link to={paths.logout()}>End</Link>
    </section>
  );
}
