import type { HashCost } from '../../auth/password-hashing.ts';
import type { SchoolDb } from '../../database/school.ts';
import { removePupilSessions } from '../pupils/pupils.public.ts';
import { assignCredentials, type Credential } from './credentials.service.ts';
import { resetLinkToken, storeLoginSheet } from './login-sheets.service.ts';
import { type listForCards, updatePasswords } from './password-resets.queries.ts';

interface Renewal {
  /** The user who can download the new logins. */
  userId: number;
  /** The ID of the reset that its creator has. */
  secret: string;
  pupils: Awaited<ReturnType<typeof listForCards>>;
  /** Passwords hashed before the transaction. */
  made: readonly Credential[];
  hashCost: HashCost;
}

/** Sets new passwords of pupils, ends their sessions, and seals the new logins for the user who requested them. */
export async function renewLogins(
  db: SchoolDb,
  { userId, secret, pupils, made, hashCost }: Renewal,
  now: Date,
): Promise<void> {
  const credentials = await assignCredentials(
    made,
    pupils.map((pupil) => pupil.class),
    hashCost,
  );
  const renewed = pupils.map((pupil, index) => ({ ...pupil, ...(credentials[index] as Credential) }));
  await updatePasswords(
    db,
    renewed.map(({ id, hash }) => ({ id, hash })),
  );
  await removePupilSessions(
    db,
    renewed.map(({ id }) => id),
  );
  await storeLoginSheet(
    db,
    userId,
    renewed.map(({ name, username, password, class: className }) => ({ name, class: className, username, password })),
    now,
    resetLinkToken(secret),
  );
}
