import { currentTime } from '../../../../shared/page-scope.ts';
import { readStored, store } from '../../../../shared/storage.ts';
import { useStored } from '../../../../shared/use-stored.ts';

const KEY = 'portal.invite';

/** An invitation that the user wants to accept, stored during login or registration. */
export interface StoredInvite {
  id: string;
  email: string;
  /** The stored invitation expires at this moment. */
  expires_at: string;
}

function parseInvite(stored: unknown): StoredInvite | null {
  const invite = stored as Partial<StoredInvite> | null;
  if (typeof invite?.id !== 'string' || typeof invite.email !== 'string' || typeof invite.expires_at !== 'string')
    return null;
  return Date.parse(invite.expires_at) > currentTime() ? (invite as StoredInvite) : null;
}

/** The invitation to accept after login; null if there is none. */
export const readInvite = (): StoredInvite | null => parseInvite(readStored(KEY));

/** The same for a component; null while the page hydrates. */
export const useStoredInvite = (): StoredInvite | null => parseInvite(useStored(KEY));

export const storeInvite = ({ id, email, expires_at }: StoredInvite): void => store(KEY, { id, email, expires_at });
export const forgetInvite = (): void => store(KEY, null);
