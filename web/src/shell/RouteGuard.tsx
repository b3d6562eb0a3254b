import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { schoolQuery } from '../features/school/school.public.ts';
import type { AppRoute } from '../routes.tsx';
import { useSession } from '../shared/session.ts';
import { guard } from './guard.ts';

/** Shows a screen to those who may see it and sends the others where they belong. */
export function RouteGuard({ screen, children }: { screen: AppRoute; children: ReactNode }) {
  const session = useSession();
  const location = useLocation();
  const schoolId = session?.user.enterprise_id ?? null;
  const needsSchool = screen.frame === 'main' && !session?.user.require_email_confirmation;
  const school = useQuery({ ...schoolQuery(schoolId ?? 0), enabled: schoolId !== null && needsSchool });

  const redirect = guard(screen, location, session, school.data?.enterprise);
  if (redirect !== null) return <Navigate to={redirect} replace />;
  return children;
}
