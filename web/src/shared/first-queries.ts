import type { User } from '#contract/calls/access.ts';

/** What decides which queries a screen begins with. */
export interface Visit {
  user: User;
  /** The user's school. */
  schoolId: number;
  /** The address: what its `:names` stand for, and its query. */
  params: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
}

/** Query options, such as `apiQuery` answers. */
export interface FirstQuery {
  queryKey: readonly unknown[];
}

/** The queries without which a screen has nothing to show, for members of a school. Asked for while its script is on its way. */
export type FirstQueries = (visit: Visit) => readonly FirstQuery[];
