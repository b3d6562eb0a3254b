import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Navigate, useLoaderData, useLocation, useRevalidator } from '../shared/router.ts';
import { schoolQuery } from '../features/school/school/school.public.ts';
import type { AppRoute } from '../routes.tsx';
import { useSession } from '../shared/session.ts';
import { ScreenPath } from '../shared/use-prefetched-query.ts';
import { PageSkeleton } from '../ui/PageSkeleton.tsx';
import { guard } from '../shared/guard.ts';
import { visitorOf } from './load-screen.ts';

/** Shows a screen to users with access and redirects the others. */
export function RouteGuard({ screen, children }: { screen: AppRoute; children: ReactNode }) {
  const session = useSession();
  const location = useLocation();
  const loadedFor = useLoaderData<string | null>();
  const schoolId = session?.user.enterprise_id ?? null;
  const needsSchool = screen.frame === 'main' && !session?.user.require_email_confirmation;
  const school = useQuery({ ...schoolQuery(schoolId ?? 0), enabled: schoolId !== null && needsSchool });

  const redirect = guard(screen, location, session, school.data?.enterprise);
  if (redirect !== null) return <Navigate to={redirect} replace />;
  if (session && visitorOf(session) !== loadedFor && screen.access !== 'open') return <LoadAgain />;
  return <ScreenPath value={screen.path}>{children}</ScreenPath>;
}

/** Another user has logged in, or the user's role has changed: the screen's queries must be fetched for them. */
function LoadAgain() {
  const { revalidate } = useRevalidator();
  useEffect(() => void revalidate(), [revalidate]);
  return <PageSkeleton />;
}
