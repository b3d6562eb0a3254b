import { type NotNull, sql, type SqlBool } from 'kysely';
import type { InviteMailLink, OneTimeMailLink } from '../database/column-types.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { hashToken, newToken } from './tokens.ts';

/** What a one-time link is for. A `supply_code` is on a card, and not in a mail. */
export type TokenKind = OneTimeMailLink['kind'] | 'supply_code';

interface NewLink extends Omit<OneTimeMailLink, 'kind'> {
  kind: TokenKind;
  /** Who made it and why, for an impersonation. */
  operatorId?: number;
  operatorSession?: Buffer;
  reason?: string;
}

/** The user or pupil that a link is for. */
export interface Link {
  userId: number;
  schoolId: number | null;
  operatorId: number | null;
  /** The operator's own session, which made the link. */
  operatorSession: Buffer | null;
  reason: string | null;
  /** The address that an `email_confirmation` was mailed to. */
  email: string | null;
  /** The session that an `end_session` ends. */
  sessionId: string | null;
  expiresAt: Date;
}

const LINK_COLUMNS = [
  'user_id as userId',
  'school_id as schoolId',
  'operator_id as operatorId',
  'operator_session_hash as operatorSession',
  'reason',
  'email',
  'session_id as sessionId',
  'expires_at as expiresAt',
] as const;

/**
 * Creates a link and returns its token, which is stored nowhere.
 * @param token a new one, unless it is a code that people type or that of a mail: one that is sent again keeps its link,
 * whose time then starts again
 */
export async function createToken(db: PlatformDb, link: NewLink, now: Date, token = newToken()): Promise<string> {
  await db.tx
    .insertInto('one_time_links')
    .values({
      token_hash: hashToken(token),
      kind: link.kind,
      user_id: link.userId,
      school_id: link.schoolId,
      operator_id: link.operatorId ?? null,
      operator_session_hash: link.operatorSession ?? null,
      reason: link.reason ?? null,
      email: link.email ?? null,
      session_id: link.sessionId ?? null,
      created_at: now,
      expires_at: new Date(now.getTime() + link.lasts),
      used_at: null,
    })
    .onConflict((conflict) =>
      conflict.column('token_hash').doUpdateSet(({ ref }) => ({ expires_at: ref('excluded.expires_at') })),
    )
    .execute();
  return token;
}

/** Finds a valid link without using it. */
export const findToken = (db: PlatformDb, kind: TokenKind, token: string, now: Date): Promise<Link | undefined> =>
  db.tx
    .selectFrom('one_time_links')
    .select(LINK_COLUMNS)
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Uses a link. Of any number of simultaneous uses, one gets the link and the others get undefined. */
export async function consumeToken(
  db: PlatformDb,
  kind: TokenKind,
  token: string,
  now: Date,
): Promise<Link | undefined> {
  const link = await db.tx
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(LINK_COLUMNS)
    .executeTakeFirst();
  if (link) await markOpened(db, hashToken(token), now);
  return link;
}

/** Records that the link of a mail was opened: its address works, whatever came back before. */
export async function markOpened(db: PlatformDb, linkHash: Buffer, now: Date): Promise<void> {
  const mail = await db.tx
    .updateTable('outbox')
    .set({ delivery: 'opened', delivery_at: now, fault: null, fault_code: null })
    .where('link_hash', '=', linkHash)
    .returning('recipient')
    .executeTakeFirst();
  if (mail)
    await db.tx
      .updateTable('outbox')
      .set({ counts_against_address: false })
      .where(sql<SqlBool>`lower(recipient) = lower(${mail.recipient})`)
      .where('counts_against_address', '=', true)
      .execute();
}

/** A link that has been used, until the time at which it would have expired. */
export const findUsedLink = (
  db: PlatformDb,
  kind: TokenKind,
  token: string,
  now: Date,
): Promise<{ userId: number; schoolId: number | null; usedAt: Date } | undefined> =>
  db.tx
    .selectFrom('one_time_links')
    .select(['user_id as userId', 'school_id as schoolId', 'used_at as usedAt'])
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is not', null)
    .where('expires_at', '>', now)
    .$narrowType<{ usedAt: NotNull }>()
    .executeTakeFirst();

/** Deletes all links of a user, or those of some kinds. */
export async function removeLinks(db: PlatformDb, userId: number, kinds?: readonly TokenKind[]): Promise<void> {
  const links = db.tx.deleteFrom('one_time_links').where('user_id', '=', userId);
  await (kinds ? links.where('kind', 'in', kinds) : links).execute();
}

/**
 * Deletes all links to a user's account after a new password. Links that confirm an address or end a session give no
 * access and remain.
 */
export async function removeTokens(db: PlatformDb, userId: number): Promise<void> {
  await db.tx
    .deleteFrom('one_time_links')
    .where('user_id', '=', userId)
    .where('kind', 'not in', ['email_confirmation', 'end_session'])
    .execute();
}

/**
 * Stores the ID of an invite's link as a hash. False when the invite has been deleted or sent again since the mail was
 * written.
 */
export async function storeInviteToken(
  db: PlatformDb,
  { inviteId, issue }: InviteMailLink,
  token: string,
): Promise<boolean> {
  const row = await db.tx
    .updateTable('invite_links')
    .set({ token_hash: hashToken(token) })
    .where('invite_id', '=', inviteId)
    .where('issue', '=', issue)
    .returning('invite_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The invite of a link and its school. */
interface InviteLink {
  inviteId: string;
  schoolId: number;
  /** The link was sent to the invited address. */
  isMailed: boolean;
  /** When the invite was sent again, which replaced this link; null for the latest one. */
  replacedAt: Date | null;
}

/** The invite of a link, of the latest one or of one before it. */
export async function findInviteLink(db: PlatformDb, token: string): Promise<InviteLink | undefined> {
  const hash = hashToken(token);
  const row = await db.tx
    .selectFrom('invite_links')
    .select(['invite_id', 'school_id', 'token_hash', 'copied_hash', 'issued_at'])
    .where(({ or, eb }) =>
      or([
        eb('token_hash', '=', hash),
        eb('copied_hash', '=', hash),
        sql<SqlBool>`former_hashes @> array[${hash.toString('hex')}]`,
      ]),
    )
    .executeTakeFirst();
  if (!row) return undefined;
  const isMailed = row.token_hash?.equals(hash) ?? false;
  return {
    inviteId: row.invite_id,
    schoolId: row.school_id,
    isMailed,
    replacedAt: isMailed || row.copied_hash?.equals(hash) ? null : row.issued_at,
  };
}
