import type { QueryClient, QueryExecuteOptions } from '@tanstack/react-query';
import { redirect, type LoaderFunctionArgs } from '../shared/router.ts';
import { meQuery } from '../features/accounts/access/access.public.ts';
import { schoolQuery } from '../features/school/school/school.public.ts';
import type { AppRoute } from '../routes.tsx';
import type { FirstQuery, Visit } from '../shared/first-queries.ts';
import { getSession, type Session } from '../shared/session.ts';
import { guard } from '../shared/guard.ts';

/** What header, sidebar and banner show to a member of a school. */
const shellQueries = ({ schoolId }: Visit): readonly FirstQuery[] => [meQuery(), schoolQuery(schoolId)];

/**
 * Fetches what a screen declares, and again what is old or has changed since. Failures are left to the screen, which
 * reports each where its data would be, and to `OutOfDateNotice`.
 */
export async function prefetchQueries(
  screen: AppRoute,
  client: QueryClient,
  visit: Visit,
  isWanted: (query: FirstQuery) => boolean = () => true,
): Promise<void> {
  const queries = [
    // The frame shows them beside every screen, so only the first screen waits for them.
    ...(screen.frame === 'main' ? shellQueries(visit).map((query) => ({ ...query, staleTime: 'static' })) : []),
    ...(screen.queries?.(visit) ?? []),
  ].filter(isWanted);
  await Promise.all(queries.map((query) => client.query(query as QueryExecuteOptions).catch(() => undefined)));
}

/** What a screen's queries depend on: the login, and the user's school and role. */
export const visitorOf = (session: Session | null): string | null =>
  session && `${session.key} ${session.user.enterprise_id} ${session.user.role}`;

/**
 * The loader of every screen, on the server and in the browser: redirects users without access, and fetches the
 * screen's queries, or those that are wanted. Returns the visitor for whom they were fetched.
 */
export async function loadScreen(
  screen: AppRoute,
  client: QueryClient,
  { request, params }: Pick<LoaderFunctionArgs, 'request' | 'params'>,
  isWanted?: (query: FirstQuery) => boolean,
): Promise<string | null> {
  const { pathname, search, searchParams } = new URL(request.url);
  const session = getSession();
  const schoolId = session?.user.enterprise_id ?? null;
  const redirectWithoutAccess = () => {
    const school =
      schoolId === null || screen.frame === 'plain' ? undefined : client.getQueryData(schoolQuery(schoolId).queryKey);
    const elsewhere = guard(screen, { pathname, search }, session, school?.enterprise);
    if (elsewhere !== null) throw redirect(elsewhere);
  };
  redirectWithoutAccess();
  if (!session || schoolId === null) return visitorOf(session);

  await prefetchQueries(screen, client, { user: session.user, schoolId, params, query: searchParams }, isWanted);
  redirectWithoutAccess();
  return visitorOf(session);
}
