import { useQuery } from '@tanstack/react-query';
import { schoolQuery } from '../features/school/school/school.public.ts';
import { useSession } from '../shared/session.ts';
import { LogOutLink } from '../ui/LogOutForm.tsx';
import { Sticky } from '../ui/Sticky.tsx';
import css from './ImpersonationBanner.module.css';

/** At the foot of the window, on every page, while an operator works as a member of staff: names both. */
export function ImpersonationBanner() {
  const user = useSession()?.user;
  const school = useQuery({ ...schoolQuery(user?.enterprise_id ?? 0), enabled: false }).data?.enterprise;
  if (!user?.impersonated_by) return null;
  const isWithoutPermission = school?.access === 'support';
  return (
    <Sticky
      edge="footer"
      as="section"
      className={`row ${css.banner} no-print`}
      aria-label="Logged in as another person"
    >
      <p>
        <strong>{user.impersonated_by.full_name}</strong>, you are logged in as <strong>{user.full_name}</strong>
        {user.enterprise && ` of ${user.enterprise.name}`}. We record everything you do under both names.
        {isWithoutPermission && ' An admin of the school can let you see data about pupils, under School.'}
      </p>
      <LogOutLink text="End" />
    </Sticky>
  );
}
