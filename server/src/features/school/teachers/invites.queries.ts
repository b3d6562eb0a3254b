import { randomUUID } from 'node:crypto';
import type { Invite } from '#contract/calls/invites.ts';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { DAY_MS } from '../../../clock.ts';
import { namePeople } from '../../../audit/audit-log.queries.ts';
import { emailKey, findStaffAccounts, type StaffAccount, staffRows } from '../../accounts/access/access.public.ts';
import { inIds } from '../../../database/in-ids.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { AssignableRole } from '#contract/permissions.ts';
import type { MailDelivery } from '#contract/mail-delivery.ts';
import { findDeliveriesAbout } from '../../../mail/delivery.queries.ts';
import type { Tables } from '../../../database/tables.ts';

/** How long an invite is valid: 14 days. */
const INVITE_TTL_MS = 14 * DAY_MS;

type InviteRow = Selectable<Tables['invites']>;

/** The current state of an invite: a pending one expires by itself. */
export const statusOf = (
  { status, expires_at }: Pick<InviteRow, 'status' | 'expires_at'>,
  now: Date,
): Invite['status'] => (status === 'pending' && expires_at <= now ? 'expired' : status);

const inviteRows = (db: SchoolDb) =>
  db.tx
    .selectFrom('invites as i')
    .select([
      'i.id',
      'i.email',
      'i.name',
      'i.status',
      'i.created_at',
      'i.expires_at',
      'i.invited_by',
      'i.role',
      'i.class_ids',
      'i.user_id',
    ])
    .where('i.school_id', '=', db.schoolId);

type ClassNames = Map<number, { id: number; name: string }>;

/** The classes in these invites. */
async function nameClasses(db: SchoolDb, invites: readonly { class_ids: number[] }[]): Promise<ClassNames> {
  const ids = invites.flatMap(({ class_ids }) => class_ids);
  if (ids.length === 0) return new Map();
  const rows = await db.tx
    .selectFrom('classes')
    .select(['id', 'name'])
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

type FullRow = Awaited<ReturnType<ReturnType<typeof inviteRows>['executeTakeFirstOrThrow']>>;

/** The inviter and the person who accepted an invite, as they are now. */
interface InvitePeople {
  inviter: StaffAccount | undefined;
  /** The name remains after the person has left; the address is empty from then on. */
  accepted: { name: string; email: string } | undefined;
  delivery: MailDelivery | undefined;
}

/** What the mails of an invite are about. */
export const aboutInvite = (inviteId: string): string => `invite:${inviteId}`;

const toInvite = (
  row: FullRow,
  classes: ClassNames,
  { inviter, accepted, delivery }: InvitePeople,
  now: Date,
): Invite => ({
  id: row.id,
  status: statusOf(row, now),
  email: row.email || (accepted?.email ?? ''),
  name: row.name || (accepted?.name ?? ''),
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  is_held: statusOf(row, now) === 'pending' && inviter !== undefined && inviter.email_confirmed_at === null,
  role: row.role,
  // Omits classes that were deleted since.
  groups: row.class_ids.flatMap((id) => classes.get(id) ?? []),
  // Former staff are not named.
  inviter: inviter ? { id: inviter.id, first_name: inviter.first_name, last_name: inviter.last_name } : null,
  delivery: delivery ? { state: delivery.state, at: delivery.at, reason: delivery.reason } : null,
});

async function toInvites(db: SchoolDb, rows: readonly FullRow[], now: Date): Promise<Invite[]> {
  const members = await findStaffAccounts(
    db,
    rows.flatMap(({ invited_by, user_id }) => [invited_by, user_id]),
  );
  const names = await namePeople(
    db,
    rows.map(({ user_id }) => user_id),
  );
  const classes = await nameClasses(db, rows);
  const abouts = rows.map(({ id }) => aboutInvite(id));
  const deliveries = await withPlatform(db, (platform) => findDeliveriesAbout(platform, db.schoolId, abouts));
  return rows.map((row) => {
    const name = names.get(row.user_id ?? 0);
    const accepted = name === undefined ? undefined : { name, email: members.get(row.user_id ?? 0)?.email ?? '' };
    const people = {
      inviter: members.get(row.invited_by ?? 0),
      accepted,
      delivery: deliveries.get(aboutInvite(row.id)),
    };
    return toInvite(row, classes, people, now);
  });
}

/** The school's invites, the newest first. */
export async function listInvites(db: SchoolDb, now: Date): Promise<Invite[]> {
  const rows = await inviteRows(db).orderBy('i.created_at', 'desc').orderBy('i.email_key').execute();
  return toInvites(db, rows, now);
}

/** One invite as the school sees it. Throws when it was deleted. */
export async function getInvite(db: SchoolDb, inviteId: string, now: Date): Promise<Invite> {
  const rows = await inviteRows(db).where('i.id', '=', inviteId).execute();
  const [invite] = await toInvites(db, rows, now);
  if (!invite) throw new Error('The invite has been deleted.');
  return invite;
}

const inviteRow = (db: SchoolDb, inviteId: string) =>
  db.tx.selectFrom('invites').selectAll().where('school_id', '=', db.schoolId).where('id', '=', inviteId);

/** The row of an invite. */
export const findInvite = (db: SchoolDb, inviteId: string) => inviteRow(db, inviteId).executeTakeFirst();

/** Locks an invite until the transaction ends: of a simultaneous acceptance, decline and deletion, one takes effect. */
export const lockInvite = (db: SchoolDb, inviteId: string) => inviteRow(db, inviteId).forUpdate().executeTakeFirst();

/** Locks invites until the transaction ends, in an order that two requests share. */
export const lockInvites = (db: SchoolDb, inviteIds: readonly string[]) =>
  db.tx
    .selectFrom('invites')
    .select(['id', 'status', 'expires_at'])
    .where('school_id', '=', db.schoolId)
    .where(sql<boolean>`id = any(${[...inviteIds]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();

/** The normalised addresses of the staff and of people with a valid invite. */
export async function listTakenEmails(db: SchoolDb, now: Date): Promise<{ staff: Set<string>; pending: Set<string> }> {
  const members = await staffRows(db).execute();
  const staff = await findStaffAccounts(
    db,
    members.map(({ user_id }) => user_id),
  );
  const pending = await db.tx
    .selectFrom('invites')
    .select('email_key')
    .where('school_id', '=', db.schoolId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .execute();
  return {
    staff: new Set([...staff.values()].map(({ email_key }) => email_key)),
    pending: new Set(pending.map(({ email_key }) => email_key)),
  };
}

/** Those of these addresses, in the form in which they are compared, whose accounts belong to another school. */
export async function listEmailsElsewhere(db: SchoolDb, people: readonly { email: string }[]): Promise<Set<string>> {
  const keys = people.map(({ email }) => emailKey(email));
  const rows = await withPlatform(db, ({ tx }) =>
    tx
      .selectFrom('users')
      .innerJoin('user_schools', 'user_id', 'id')
      .select('email_key')
      .where(sql<SqlBool>`email_key = any(${keys}::text[])`)
      .where('school_id', '<>', db.schoolId)
      .execute(),
  );
  return new Set(rows.map(({ email_key }) => email_key));
}

/** Marks the expired invites of an address, to make way for another. */
async function markExpired(db: SchoolDb, key: string, now: Date): Promise<void> {
  await db.tx
    .updateTable('invites')
    .set({ status: 'expired' })
    .where('school_id', '=', db.schoolId)
    .where('email_key', '=', key)
    .where('status', '=', 'pending')
    .where('expires_at', '<=', now)
    .execute();
}

interface NewInvite {
  email: string;
  name: string;
  invitedBy: number;
  role?: AssignableRole;
  classIds?: readonly number[];
  /** The hash of the link shown to the inviter. */
  copiedHash?: Buffer;
}

/** How many of the latest links of an invite name the one that replaced them. */
const MAX_FORMER_LINKS = 20;

/** The values in the mail of an invite; `issue` counts how often it was sent. */
export interface SentInvite {
  id: string;
  expiresAt: Date;
  issue: number;
}

/**
 * Creates a pending invite, or returns undefined when the address has one already. Its link is created with its mail.
 */
export async function insertInvite(db: SchoolDb, invite: NewInvite, now: Date): Promise<SentInvite | undefined> {
  const key = emailKey(invite.email);
  await markExpired(db, key, now);
  const id = randomUUID();
  const expiresAt = new Date(now.getTime() + INVITE_TTL_MS);
  const row = await db.tx
    .insertInto('invites')
    .values({
      school_id: db.schoolId,
      id,
      email: invite.email,
      email_key: key,
      name: invite.name,
      status: 'pending',
      invited_by: invite.invitedBy,
      role: invite.role ?? 'teacher',
      class_ids: [...(invite.classIds ?? [])],
      created_at: now,
      expires_at: expiresAt,
    })
    .onConflict((conflict) =>
      // A literal: with a parameter, a prepared statement could not use the partial index.
      conflict
        .columns(['school_id', 'email_key'])
        .where(sql<SqlBool>`status = 'pending'`)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!row) return undefined;
  const { issue } = await db.tx
    .insertInto('invite_links')
    .values({
      invite_id: id,
      school_id: db.schoolId,
      token_hash: null,
      copied_hash: invite.copiedHash ?? null,
      issued_at: now,
    })
    .returning('issue')
    .executeTakeFirstOrThrow();
  return { id, expiresAt, issue };
}

/**
 * Extends an invite by 14 days and records who sent it again; the old link only says so from now on, and waiting mails
 * no longer create one. An address with a newer valid invite is a unique violation.
 */
export async function renewInvite(
  db: SchoolDb,
  { id, email_key: key }: { id: string; email_key: string },
  invitedBy: number,
  now: Date,
): Promise<SentInvite> {
  await markExpired(db, key, now);
  const expiresAt = new Date(now.getTime() + INVITE_TTL_MS);
  await db.tx
    .updateTable('invites')
    .set({ status: 'pending', expires_at: expiresAt, invited_by: invitedBy })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', id)
    .execute();
  const { issue } = await db.tx
    .updateTable('invite_links')
    .set({
      token_hash: null,
      copied_hash: null,
      issue: sql<number>`issue + 1`,
      issued_at: now,
      former_hashes: sql<
        string[]
      >`(array_remove(array[encode(token_hash, 'hex'), encode(copied_hash, 'hex')], null) || former_hashes)[1:${MAX_FORMER_LINKS}]`,
    })
    .where('school_id', '=', db.schoolId)
    .where('invite_id', '=', id)
    .returning('issue')
    .executeTakeFirstOrThrow();
  return { id, expiresAt, issue };
}

export async function setInviteDeclined(db: SchoolDb, inviteId: string): Promise<void> {
  await db.tx
    .updateTable('invites')
    .set({ status: 'declined' })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', inviteId)
    .execute();
}

/** Deletes invites and their links. */
export async function removeInvites(db: SchoolDb, inviteIds: readonly string[]): Promise<void> {
  const ids = [...inviteIds];
  await db.tx
    .deleteFrom('invites')
    .where('school_id', '=', db.schoolId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  await db.tx
    .deleteFrom('invite_links')
    .where('school_id', '=', db.schoolId)
    .where(sql<boolean>`invite_id = any(${ids}::uuid[])`)
    .execute();
}

export interface InviteUse {
  /** Invites that can still be accepted. */
  open: number;
  /** Invitation emails since then, including those of deleted invites. */
  sent: number;
  /** When the oldest of the last `limit` of them was sent; null without any. */
  oldest_at: Date | null;
}

/** The school's open invites, and the invitation emails that it has sent since a time. */
export async function countInviteUse(db: SchoolDb, since: Date, limit: number, now: Date): Promise<InviteUse> {
  const { rows } = await sql<InviteUse>`
    with sent as (select at from audit_log
      where school_id = ${db.schoolId} and at > ${since} and action in ('teacher_invited', 'invite_resent'))
    select
      (select count(*) from invites
        where school_id = ${db.schoolId} and status = 'pending' and expires_at > ${now}) as open,
      (select count(*) from sent) as sent,
      (select min(at) from (select at from sent order by at desc limit ${limit}) newest) as oldest_at`.execute(db.tx);
  return rows[0] as InviteUse;
}
