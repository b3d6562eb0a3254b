import { pupilTable } from '../features/pupils/pupils.public.ts';
import { readTableState, tableQuery } from '../ui/table-url-state.ts';
import { addressOf } from '../shared/address.ts';
import type { Session } from '../shared/session-storage.ts';

/**
 * Addresses of the calls that a page makes first, to the letter: they start before the scripts are there.
 * The paths are the contract's, written out because its schemas are too heavy to wait for; a test compares them.
 */
export function preloadRequests(
  location: { pathname: string; search: string },
  { user }: Session,
  storedRows: unknown,
): string[] {
  const calls = [addressOf('/users/me')];
  const id = user.enterprise_id;
  if (id === null || user.require_email_confirmation) return calls;
  calls.push(addressOf('/enterprises/{id}', { id }));
  if (location.pathname === '/pupils')
    calls.push(
      addressOf(
        '/enterprises/{id}/readers',
        { id },
        tableQuery(readTableState(new URLSearchParams(location.search), storedRows, pupilTable)),
      ),
    );
  return calls;
}
