import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query';
import { redirect, type LoaderFunctionArgs } from 'react-router';
import { meQuery } from '../features/access/access.public.ts';
import { schoolQuery } from '../features/school/school.public.ts';
import type { AppRoute } from '../routes.tsx';
import type { FirstQuery, Visit } from '../shared/first-queries.ts';
import { getSession } from '../shared/session.ts';
import { guard } from './guard.ts';

/** What header, sidebar and banner show of a member of a school. */
const shellQueries = ({ schoolId }: Visit): readonly FirstQuery[] => [meQuery(), schoolQuery(schoolId)];

/**
 * The loader of every screen, on the server and in the browser: sends away whoever may not see it, and asks for what it shows first. What cannot be
 * loaded is left to the screen, which says so in its place.
 */
export async function loadScreen(
  screen: AppRoute,
  client: QueryClient,
  { request, params }: Pick<LoaderFunctionArgs, 'request' | 'params'>,
): Promise<null> {
  const { pathname, search, searchParams } = new URL(request.url);
  const session = getSession();
  const schoolId = session?.user.enterprise_id ?? null;
  const turnAway = () => {
    const school =
      schoolId === null || screen.frame === 'plain' ? undefined : client.getQueryData(schoolQuery(schoolId).queryKey);
    const elsewhere = guard(screen, { pathname, search }, session, school?.enterprise);
    if (elsewhere !== null) throw redirect(elsewhere);
  };
  turnAway();
  if (!session || schoolId === null) return null;

  const visit = { user: session.user, schoolId, params, query: searchParams };
  const queries = [...(screen.frame === 'main' ? shellQueries(visit) : []), ...(screen.queries?.(visit) ?? [])];
  await Promise.all(queries.map((query) => client.ensureQueryData(query as FetchQueryOptions).catch(() => undefined)));
  turnAway();
  return null;
}
