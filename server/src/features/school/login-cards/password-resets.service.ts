import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { sendMail } from '../../../mail/mail.ts';
import { removePupilSessions } from '../pupils/pupils.public.ts';
import { assignCredentials, type Credential } from './credentials.service.ts';
import { resetLinkToken, storeLoginSheet } from './login-sheets.service.ts';
import { newLoginsMail } from './password-resets.mail.ts';
import { type listForCards, updatePasswords } from './password-resets.queries.ts';

interface Renewal {
  /** The user who can download the new logins. */
  userId: number;
  /** Where the link to them is sent; undefined for a user who has left the school or has no address. */
  to: { email: string; first_name: string } | undefined;
  /** The ID of the reset that its creator has. */
  secret: string;
  pupils: Awaited<ReturnType<typeof listForCards>>;
  /** Passwords hashed before the transaction. */
  credentials: readonly Credential[];
}

/**
 * Sets new passwords of pupils, ends their sessions, seals the new logins for the user who requested them, and emails
 * that user the link.
 */
export async function renewLogins(
  db: SchoolDb,
  { userId, to, secret, pupils, credentials: prepared }: Renewal,
  { hashCost, productName, publicUrl }: Pick<Config, 'hashCost' | 'productName' | 'publicUrl'>,
  now: Date,
): Promise<void> {
  const credentials = await assignCredentials(
    prepared,
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
  if (to)
    await sendMail(
      db,
      newLoginsMail({ to, product: productName, publicUrl, resetId: secret, pupils: pupils.length }),
      { users: [userId] },
      now,
    );
}
