import { readStored, store, useStored } from '../../../shared/storage.ts';

const KEY = 'portal.invite';

/** An invite that its holder wants to accept, kept through login or registration. */
export interface StoredInvite {
  id: string;
  email: string;
  /** After this moment it is no longer of use. */
  expires_at: string;
}

function parseInvite(stored: unknown): StoredInvite | null {
  const invite = stored as Partial<StoredInvite> | null;
  if (typeof invite?.id !== 'string' || typeof invite.email !== 'string' || typeof invite.expires_at !== 'string')
    return null;
  return Date.parse(invite.expires_at) > Date.now() ? (invite as StoredInvite) : null;
}

/** The invite that is waiting to be accepted, or null. */
export const readInvite = (): StoredInvite | null => parseInvite(readStored(KEY));

/** The same for a component; null while the page hydrates. */
export const useStoredInvite = (): StoredInvite | null => parseInvite(useStored(KEY));

export const keepInvite = ({ id, email, expires_at }: StoredInvite): void => store(KEY, { id, email, expires_at });
export const forgetInvite = (): void => store(KEY, null);
