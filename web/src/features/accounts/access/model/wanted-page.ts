import { readOwnPath } from '#contract/own-path.ts';
import type { GuestVisit } from '../../../../shell/guest-screen.ts';

/** The query for the next page of a login, which names the page of the portal to open afterwards. */
export function wantedPage({ query }: Pick<GuestVisit, 'query'>): { redirect?: string } {
  const redirect = readOwnPath(query.get('redirect') ?? '');
  return redirect === undefined ? {} : { redirect };
}
