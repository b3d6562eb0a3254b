import { readStored, store } from '../../../shared/storage.ts';

const KEY = 'portal.invite';

/** An invite that its holder wants to accept, kept through login or registration. */
export interface StoredInvite {
  id: string;
  email: string;
  /** After this moment it is no longer of use. */
  expires_at: string;
}

/** The invite that is waiting to be accepted, or null. */
export function readInvite(): StoredInvite | null {
  const kept = readStored(KEY) as Partial<StoredInvite> | null;
  if (typeof kept?.id !== 'string' || typeof kept.email !== 'string' || typeof kept.expires_at !== 'string')
    return null;
  return Date.parse(kept.expires_at) > Date.now() ? (kept as StoredInvite) : null;
}

export const keepInvite = ({ id, email, expires_at }: StoredInvite): void => store(KEY, { id, email, expires_at });
export const forgetInvite = (): void => store(KEY, null);
