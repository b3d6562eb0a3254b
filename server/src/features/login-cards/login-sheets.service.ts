import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { LoginLinks } from '#contract/calls/pupil-import.ts';
import type { SchoolDb } from '../../database/school.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { hashToken, newToken } from '../../auth/tokens.ts';
import { findSheet, insertSheet } from './login-sheets.queries.ts';

/** A pupil's login as it is handed out. The password is nowhere else. */
export interface Login {
  name: string;
  class: string | null;
  username: string;
  password: string;
}

/** How long new logins can be fetched. Source: wire.md, "Shapes". */
export const SHEET_LASTS = 86_400_000;

const queryKeyOf = (token: string) => Buffer.from(hkdfSync('sha256', token, '', 'login sheet', 32));

function seal(logins: readonly Login[], token: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', queryKeyOf(token), nonce);
  const content = Buffer.concat([cipher.update(gzipSync(JSON.stringify(logins))), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]);
}

function unseal(sealed: Buffer, token: string): Login[] {
  const decipher = createDecipheriv('aes-256-gcm', queryKeyOf(token), sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return JSON.parse(
    gunzipSync(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])).toString(),
  ) as Login[];
}

/** Keeps logins for a day for one person, sealed with the token returned: without the link nobody can read them. */
export async function storeLoginSheet(
  db: SchoolDb,
  userId: number,
  logins: readonly Login[],
  now: Date,
): Promise<string> {
  const token = newToken();
  await insertSheet(
    db,
    {
      userId,
      tokenHash: hashToken(token),
      sealed: seal(logins, token),
      expiresAt: new Date(now.getTime() + SHEET_LASTS),
    },
    now,
  );
  return token;
}

/** The logins behind a link; undefined unless this person made it within the last day. */
export async function findLogins(
  db: SchoolDb,
  me: StaffSession,
  token: string,
  now: Date,
): Promise<Login[] | undefined> {
  const sealed = await findSheet(db, me.userId, hashToken(token), now);
  return sealed && unseal(sealed, token);
}

export const linksTo = (token: string, publicUrl: string): LoginLinks => ({
  logins: `${publicUrl}/v1/files/${token}.pdf`,
  spreadsheet: `${publicUrl}/v1/files/${token}.xlsx`,
});
