import { DAY_MS } from '../../../clock.ts';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { LoginLinks } from '#contract/calls/pupil-import.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffSession } from '../../../context.ts';
import { deriveSecret, seal, unseal } from '../../../auth/sealing.ts';
import { hashToken, newToken } from '../../../auth/tokens.ts';
import { findSheet, insertSheet } from './login-sheets.queries.ts';

/** A pupil's login as handed out. The password is stored nowhere else. */
export interface Login {
  name: string;
  class: string | null;
  username: string;
  password: string;
}

/** How long new logins can be downloaded. */
export const SHEET_TTL_MS = DAY_MS;

const PURPOSE = 'login sheet';

/** Stores logins for a day for one user, sealed with the link's token. Returns the token, without which they cannot be read. */
export async function storeLoginSheet(
  db: SchoolDb,
  userId: number,
  logins: readonly Login[],
  now: Date,
  token = newToken(),
): Promise<string> {
  await insertSheet(db, {
    token_hash: hashToken(token),
    user_id: userId,
    sealed: seal(gzipSync(JSON.stringify(logins)), token, PURPOSE),
    created_at: now,
    expires_at: new Date(now.getTime() + SHEET_TTL_MS),
  });
  return token;
}

/** The logins behind a link; undefined unless this user created it within the last day. */
export async function findLogins(
  db: SchoolDb,
  me: StaffSession,
  token: string,
  now: Date,
): Promise<Login[] | undefined> {
  const sealed = await findSheet(db, me.userId, hashToken(token), now);
  return sealed && (JSON.parse(gunzipSync(unseal(sealed, token, PURPOSE)).toString()) as Login[]);
}

/** The token of the link to the logins of a reset, derived from the reset's ID, which only its creator has. */
export const resetLinkToken = (resetId: string): string => deriveSecret(resetId.toLowerCase(), 'login sheet link');

export const linksTo = (token: string, publicUrl: string): LoginLinks => ({
  logins: `${publicUrl}/v1/files/${token}.pdf`,
  spreadsheet: `${publicUrl}/v1/files/${token}.xlsx`,
});
