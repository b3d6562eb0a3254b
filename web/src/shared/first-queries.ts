import type { User } from '#contract/calls/access.ts';

/** What the first queries of a screen depend on. */
export interface Visit {
  user: User;
  /** The user's school. */
  schoolId: number;
  /** The parameters of the path and the query of the URL. */
  params: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
}

/** Query options, as `apiQuery` returns them. */
export interface FirstQuery {
  queryKey: readonly unknown[];
  meta?: Record<string, unknown> | undefined;
}

/** The queries without which a screen has nothing to show to members of a school. Fetched while its script loads. */
export type FirstQueries = (visit: Visit) => readonly FirstQuery[];
