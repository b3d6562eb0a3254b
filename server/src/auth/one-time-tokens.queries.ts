import type { PlatformDb } from '../database/platform.ts';
import { hashToken, newToken } from './tokens.ts';

/** What a one-time link is for. */
export type TokenKind = 'password_reset' | 'set_up' | 'impersonation';

interface NewLink {
  kind: TokenKind;
  userId: number;
  schoolId: number | null;
  /** Milliseconds that it works. */
  lasts: number;
  /** Who made it and why, for an impersonation. */
  operatorId?: number;
  reason?: string;
}

/** Whom a link is for. */
export interface Link {
  userId: number;
  schoolId: number | null;
  operatorId: number | null;
  reason: string | null;
}

/** Makes a link and returns its token, which is stored nowhere. */
export async function createToken(db: PlatformDb, link: NewLink, now: Date): Promise<string> {
  const token = newToken();
  await db.tx
    .insertInto('one_time_links')
    .values({
      token_hash: hashToken(token),
      kind: link.kind,
      user_id: link.userId,
      school_id: link.schoolId,
      operator_id: link.operatorId ?? null,
      reason: link.reason ?? null,
      created_at: now,
      expires_at: new Date(now.getTime() + link.lasts),
      used_at: null,
    })
    .execute();
  return token;
}

/** A link that still works, left as it is. */
export const findToken = (db: PlatformDb, kind: TokenKind, token: string, now: Date): Promise<Link | undefined> =>
  db.tx
    .selectFrom('one_time_links')
    .select(['user_id as userId', 'school_id as schoolId', 'operator_id as operatorId', 'reason'])
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Uses a link up. Of any number of uses at once one gets the link, the others undefined. */
export const consumeToken = (db: PlatformDb, kind: TokenKind, token: string, now: Date): Promise<Link | undefined> =>
  db.tx
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['user_id as userId', 'school_id as schoolId', 'operator_id as operatorId', 'reason'])
    .executeTakeFirst();

/** Makes all links to a user's account useless: after a new password or address, or when they leave a school. */
export async function removeTokens(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.deleteFrom('one_time_links').where('user_id', '=', userId).execute();
}

/** Forgets links that are over. */
export async function removeOldTokens(db: PlatformDb, now: Date): Promise<void> {
  await db.tx.deleteFrom('one_time_links').where('expires_at', '<=', now).execute();
}
